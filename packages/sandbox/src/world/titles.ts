/** A job title, with how common it is among members. */
export type Title = { title: string; field: string; weight: number }

/** Titles of a field, each with its weight. */
const ROWS: Readonly<Record<string, string>> = {
  Sales: `
    Sales Development Representative 3,Account Executive 4,Senior Account Executive 2,Sales Manager 3,
    Head of Sales 2,VP of Sales 1,Chief Revenue Officer 1,Business Development Manager 3,
    Revenue Operations Manager 1,Customer Success Manager 3,Director of Partnerships 1
  `,
  Marketing: `
    Marketing Manager 3,Growth Marketing Lead 2,Content Strategist 2,Head of Marketing 2,VP of Marketing 1,
    Chief Marketing Officer 1,Brand Manager 1,Demand Generation Manager 2,Product Marketing Manager 2,
    SEO Specialist 1
  `,
  Engineering: `
    Software Engineer 5,Senior Software Engineer 4,Staff Engineer 1,Engineering Manager 2,Head of Engineering 1,
    VP of Engineering 1,Chief Technology Officer 2,DevOps Engineer 2,Data Engineer 2,
    Machine Learning Engineer 2,QA Engineer 1,Solutions Architect 2,Frontend Developer 2
  `,
  Product: `
    Product Manager 3,Senior Product Manager 2,Head of Product 1,Chief Product Officer 1,Product Designer 2,
    UX Researcher 1
  `,
  Data: 'Data Analyst 2,Data Scientist 2,Head of Data 1',
  People: 'Talent Acquisition Specialist 2,HR Business Partner 2,Head of People 1,Recruiter 3,Chief People Officer 1',
  Finance: 'Financial Analyst 2,Finance Manager 1,Chief Financial Officer 1,Controller 1',
  Operations:
    'Operations Manager 3,Project Manager 3,Chief Operating Officer 1,Supply Chain Manager 1,Procurement Lead 1',
  Leadership: 'Founder & CEO 4,Co-Founder 3,Managing Director 2,Chief Executive Officer 1,General Manager 1',
  Other: 'Management Consultant 2,Legal Counsel 1,Freelance Consultant 2,Student 1,Executive Assistant 1',
}

/** The world's job titles by field and seniority. */
export const TITLES: readonly Title[] = Object.entries(ROWS).flatMap(([field, titles]) =>
  titles.split(',').map((text) => {
    const entry = text.trim()
    const at = entry.lastIndexOf(' ')
    return { title: entry.slice(0, at), field, weight: Number(entry.slice(at + 1)) }
  }),
)

/** The sum of the titles' weights. */
export const TITLE_WEIGHT = TITLES.reduce((sum, title) => sum + title.weight, 0)
