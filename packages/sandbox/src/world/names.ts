/** The first and last names of one naming culture. */
export type Culture = { first: readonly string[]; last: readonly string[] }

const ROWS: Record<string, [string, string]> = {
  english: [
    `James Emma Oliver Charlotte William Amelia Henry Sophie Jack Grace Daniel Olivia Thomas Hannah Michael Jessica
     David Sarah Ryan Megan Andrew Laura Matthew Rachel Christopher Emily Benjamin Victoria Samuel Natalie
     Alexander Rebecca Ethan Chloe Nathan Abigail`,
    `Smith Johnson Williams Brown Jones Taylor Davies Wilson Evans Thomas Roberts Walker Wright Robinson Thompson
     White Hughes Edwards Green Hall Wood Harris Clarke Jackson Turner Cooper Bennett Murphy O'Brien Campbell
     Stewart Morgan Reed Bailey Parker Collins`,
  ],
  german: [
    `Lukas Anna Maximilian Lena Felix Katharina Jonas Julia Stefan Claudia Tobias Sabine Matthias Nina Florian
     Johanna Sebastian Franziska Jürgen Heike`,
    `Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein
     Wolf Schröder Neumann Zimmermann Krüger`,
  ],
  french: [
    `Camille Antoine Élodie Julien Chloé Nicolas Manon Guillaume Aurélie Mathieu Céline Thibault Hélène François
     Margaux Rémi Sylvie Benoît Amandine Étienne`,
    `Martin Bernard Dubois Durand Leroy Moreau Laurent Lefèvre Michel Garcia Roux Fournier Girard Bonnet Dupont
     Lambert Fontaine Rousseau Chevalier Mercier`,
  ],
  spanish: [
    `María Carlos Lucía Javier Carmen Alejandro Sofía Diego Valentina Andrés Paula Fernando Camila José Gabriela
     Luis Isabel Ricardo Daniela Sergio`,
    `García Rodríguez Martínez Hernández López González Pérez Sánchez Ramírez Torres Flores Rivera Gómez Díaz Reyes
     Morales Cruz Ortiz Castillo Vargas`,
  ],
  portuguese: [
    `João Ana Pedro Mariana Lucas Beatriz Rafael Juliana Thiago Fernanda Gustavo Larissa Bruno Patrícia Felipe
     Carolina Rodrigo Inês Tiago Leonor`,
    `Silva Santos Oliveira Souza Pereira Costa Ferreira Almeida Ribeiro Carvalho Gomes Martins Rocha Barbosa Araújo
     Nascimento Cardoso Teixeira Moreira Lopes`,
  ],
  italian: [
    'Marco Giulia Alessandro Chiara Francesco Martina Lorenzo Federica Matteo Elisa Davide Valentina Simone Silvia Andrea Paola',
    'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa Mancini Lombardi',
  ],
  dutch: [
    'Sander Femke Daan Sanne Bram Lotte Jeroen Anouk Thijs Marieke Ruben Fleur Joost Iris Pieter Maud',
    'Jansen Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Brouwer Dijkstra Kok Jacobs Willems',
  ],
  nordic: [
    'Erik Astrid Lars Ingrid Magnus Freja Søren Sofie Henrik Linnea Mikkel Elin Anders Maja Johan Kirsi Bjørn Signe Mikko Aino',
    `Andersson Johansson Hansen Nielsen Larsen Olsen Korhonen Virtanen Nilsson Lindqvist Berg Dahl Sørensen Holm
     Lund Nyström Mäkinen Eriksen Åberg Solberg`,
  ],
  slavic: [
    `Piotr Katarzyna Łukasz Agnieszka Tomasz Magdalena Jakub Zofia Ondřej Tereza Oleksandr Olena Andriy Iryna Marek
     Anna Michał Kateřina Dmytro Natalia`,
    `Kowalska Nowak Wiśniewski Wójcik Kamiński Zieliński Novák Svoboda Dvořák Shevchenko Kovalenko Bondarenko
     Tkachenko Mazur Krawczyk Horák Procházka Melnyk Wróbel Kravchuk`,
  ],
  romanian: [
    'Andrei Ioana Mihai Elena Alexandru Cristina Radu Raluca Bogdan Simona Vlad Diana',
    'Popescu Ionescu Popa Dumitru Stan Stoica Gheorghe Rusu Munteanu Matei Marin Lazăr',
  ],
  greek: [
    'Giorgos Maria Nikos Eleni Dimitris Katerina Kostas Sofia Yannis Vasiliki Panos Ioanna',
    'Papadopoulos Georgiou Nikolaidis Pappas Vlachos Ioannou Makris Karagiannis Antoniou Oikonomou Konstantinou Dimas',
  ],
  turkish: [
    'Mehmet Ayşe Emre Zeynep Burak Elif Can Selin Murat Deniz Kerem Esra Hakan Gül',
    'Yılmaz Kaya Demir Şahin Çelik Yıldız Öztürk Aydın Arslan Doğan Kılıç Aslan Çetin Koç',
  ],
  hebrew: [
    'Noam Tamar Yonatan Noa Eitan Shira Amit Maya Omer Yael Gil Michal',
    'Cohen Levi Mizrahi Peretz Biton Friedman Katz Shapira Azoulay Goldberg Ben-David Rosen',
  ],
  arabic: [
    'Ahmed Fatima Omar Layla Mohammed Aisha Youssef Noor Khalid Mariam Hassan Sara Tariq Huda Ali Rania Bilal Zainab Imran Salma',
    `Hassan Ahmed Khan Al-Farsi Mahmoud Ibrahim Saleh Malik Hussain Nasser Al-Mansouri Qureshi Abdullah Farouk
     Haddad Rahman Siddiqui Mansour Aziz Kassem`,
  ],
  indian: [
    `Aarav Priya Rahul Ananya Arjun Neha Vikram Kavya Rohan Pooja Aditya Sneha Karthik Divya Sanjay Meera Nikhil
     Shreya Amit Ritu Siddharth Lakshmi Rajesh Deepika`,
    `Sharma Patel Singh Gupta Kumar Reddy Iyer Nair Mehta Joshi Desai Rao Verma Agarwal Chatterjee Banerjee Kapoor
     Menon Pillai Bhat Kulkarni Malhotra Srinivasan Mishra`,
  ],
  chinese: [
    'Wei Li Jing Ming Xin Yan Hao Mei Jun Ling Tao Hui Chen Yu Kai Fang Rui Lei',
    'Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Lin Tan Lim Ng',
  ],
  japanese: [
    'Hiroshi Yuki Takashi Sakura Kenji Aiko Daisuke Haruka Satoshi Naomi Ryo Emi Kaito Mio',
    'Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Matsumoto',
  ],
  korean: [
    'Minjun Seoyeon Jihoon Jiwoo Hyunwoo Soyeon Donghyun Minji Sungmin Eunji Joon Hana',
    'Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh',
  ],
  vietnamese: [
    'Anh Linh Minh Huong Tuan Trang Duc Mai Khanh Thao Quang Lan',
    'Nguyen Tran Le Pham Hoang Phan Vu Dang Bui Do Ho Ngo',
  ],
  indonesian: [
    'Budi Siti Agus Dewi Rizky Putri Andi Ayu Eko Rina Fajar Indah',
    'Santoso Wijaya Saputra Hidayat Pratama Wibowo Kusuma Setiawan Gunawan Lestari Nugroho Siregar',
  ],
  african: [
    'Chidi Amara Tunde Ngozi Kwame Zanele Thabo Wanjiru Emeka Adaeze Sipho Lerato Kamau Achieng Femi Nomvula',
    'Okafor Adeyemi Nkosi Mwangi Okonkwo Dlamini Botha Mensah Otieno Balogun Khumalo Kariuki Eze van der Merwe Ndlovu Abiola',
  ],
}

/** The naming cultures of the world by name. */
export const CULTURES: Readonly<Record<string, Culture>> = Object.fromEntries(
  Object.entries(ROWS).map(([name, [first, last]]) => [
    name,
    {
      first: first.split(/\s+/),
      last: last
        .replace('van der Merwe', 'van_der_Merwe')
        .split(/\s+/)
        .map((part) => part.replaceAll('_', ' ')),
    },
  ]),
)

const PLAIN: Record<string, string> = { ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', ı: 'i', đ: 'd', ð: 'd', þ: 'th', œ: 'oe' }

/** A text as the network writes it into an address: small plain letters, digits and single dashes. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łøßæıđðþœ]/g, (char) => PLAIN[char] ?? '')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}
