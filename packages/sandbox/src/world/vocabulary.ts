import { hash32, type Random } from './random.ts'

const list = (text: string): readonly string[] => text.split(',').map((entry) => entry.trim())

/** What people at work talk about, the most usual first. */
const AREAS = list(`
  sales,marketing,product,revenue,customer,data,growth,engineering,finance,people,brand,content,software,AI,
  startup,team,talent,B2B,SaaS,security,design,HR,business,cloud,email,outbound,inbound,lead,account,project,
  social media,community,leadership,operations,enterprise,remote,legal,privacy,SEO,video,partner,channel,
  procurement,logistics,compliance,analytics,fintech,healthcare,edtech,proptech,biotech,retail,ecommerce,
  manufacturing,construction,energy,insurance,banking,real estate,hospitality,travel,education,nonprofit,
  government,B2C,small business,hybrid,workplace,board,investor,subscription,mobile,web,API,DevOps,platform,
  infrastructure,database,open source,accessibility,sustainability,diversity,executive,founder,career,agile,risk,
  audit,tax,payroll,treasury,crypto,payments,event,podcast,newsletter,influencer,affiliate,CRM,field,inside,deal,
  contract,vendor,renewal,gaming,aerospace,automotive,pharma,telecom,food,fashion,sports,music,art
`)
/** What they do about it, the most usual first. */
const DOINGS = list(`
  strategy,ops,team,operations,automation,enablement,leadership,hiring,tools,planning,budget,management,training,
  process,metrics,manager,analytics,productivity,performance,experience,success,support,pipeline,growth,culture,
  software,coaching,forecasting,reporting,research,recruiting,roadmap,playbook,innovation,efficiency,quality,
  adoption,integration,pricing,negotiation,campaigns,prospecting,engagement,retention,churn,onboarding,feedback,
  interviews,skills,careers,mentoring,wellbeing,burnout,meetings,communication,collaboration,storytelling,
  branding,positioning,messaging,launch,trends,benchmarks,best practices,case studies,consulting,agencies,
  freelancing,outsourcing,partnerships,ecosystem,marketplace,webinars,conferences,director,engineering,governance,
  transformation,optimization,intelligence,insights,stack,funnel,attribution,conversion,segmentation,
  personalization,experiments,excellence,scaling,funding,acquisition,expansion,development,architecture,testing,
  monitoring,reliability,documentation,standards,regulation,ethics,fraud,cost,savings,procurement,sourcing,
  distribution,delivery,fulfillment,inventory
`)
/** Phrases that everybody knows. */
const PHRASES = list(`
  head of growth,product market fit,customer journey,go to market,women in tech,women in leadership,
  work life balance,digital transformation,change management,generative AI,large language models,
  prompt engineering,data privacy,employee engagement,talent acquisition,venture capital,net revenue retention,
  customer acquisition cost,cold email,cold calling,social selling,account executive,business development,
  lead generation,growth hacking,growth marketing,content marketing,influencer marketing,performance marketing,
  marketing automation,email marketing,personal branding,thought leadership,public speaking,
  emotional intelligence,mental health,imposter syndrome,four day week,return to office,working from home,
  remote work,hybrid work,quiet quitting,career change,job search,salary negotiation,performance review,
  annual review,company culture,psychological safety,servant leadership,first principles,growth mindset,
  decision making,time management,deep work,side project,small business,early stage,bootstrapped founder,
  seed round,pitch deck,term sheet,exit strategy,cash flow,unit economics,burn rate,financial planning,
  cost of living,interest rates,stock market,real estate,supply chain,circular economy,renewable energy,
  electric vehicles,net zero,climate change,social impact,corporate responsibility,diversity and inclusion,
  equal pay,parental leave,artificial intelligence,data science,big data,business intelligence,data engineering,
  software engineering,software development,web development,front end,back end,full stack,open source,
  technical debt,code review,pair programming,continuous delivery,platform engineering,site reliability,
  incident response,zero trust,cloud computing,edge computing,internet of things,virtual reality,computer vision,
  voice assistants,user experience,user research,design thinking,design systems,product management,
  product strategy,product discovery,project management,agile coaching,lean manufacturing,quality assurance,
  risk management,contract management,intellectual property,employment law,customer support,customer service,
  customer experience,customer feedback,customer loyalty,user onboarding,free trial,pricing page,annual planning,
  quarterly goals,key results,board meeting,team building,one on one,remote onboarding,exit interview,
  succession planning,learning and development,executive coaching,life sciences,clinical trials,patient care,
  medical devices,food and beverage,consumer goods,home improvement,travel and tourism,event planning,trade shows,
  sales development,sales enablement,sales operations,revenue operations,sales leadership,sales management,
  sales training,inside sales,enterprise sales,value selling,buyer intent,buying committee,deal desk,win rate,
  quota attainment,sales forecast,discovery call,follow up,objection handling,account management,
  customer retention,market research,competitive analysis,brand awareness,word of mouth,community building,
  partner program,chief of staff,chief executive officer,vice president,human resources,people operations,
  workforce planning,gig economy,future of work,digital marketing,search engine optimization,paid ads,
  landing pages,conversion rate,marketing strategy,brand strategy,creative writing,public relations,
  crisis communication
`)
/** Things one can have several of. */
const THINGS = list(`
  meeting,call,email,message,customer,client,buyer,seller,founder,investor,manager,leader,employee,colleague,
  mentor,recruiter,candidate,freelancer,consultant,developer,engineer,designer,analyst,marketer,writer,teacher,
  student,nurse,doctor,lawyer,accountant,architect,scientist,company,startup,agency,brand,product,feature,project,
  team,goal,habit,idea,lesson,story,question,answer,mistake,decision,problem,solution,challenge,opportunity,trend,
  market,industry,competitor,partner,vendor,contract,deal,proposal,budget,invoice,payment,price,discount,
  subscription,campaign,newsletter,podcast,webinar,workshop,conference,event,course,book,article,report,survey,
  interview,resume,portfolio,promotion,salary,bonus,skill,certification,degree,university,school,library,city,
  office,desk,laptop,phone,app,website,dashboard,spreadsheet,template,checklist,framework,process,tool,robot,
  algorithm,model,dataset,server,database,API,password,breach,policy,regulation,law,tax,bank,loan,mortgage,
  hospital,patient,clinic,vaccine,factory,warehouse,truck,ship,train,airport,flight,hotel,restaurant,recipe,
  garden,farm,tree,river,mountain,beach,marathon,gym,game,movie,song,photo,painting,museum,dog,cat,child,parent,
  friend,neighbour,volunteer,charity,donation,election,prediction,experiment,hypothesis,prototype,patent,award,
  anniversary,holiday,weekend,deadline,milestone,quarter,forecast,target,metric,benchmark,incentive,commission,
  territory,persona,segment,audience,follower,creator,influencer,comment,hashtag,video,banner,logo,slogan,
  headline,keyword,backlink,funnel,lead,prospect,referral,testimonial,review,complaint,refund,ticket,chatbot,
  assistant,plugin,integration,release,bug,outage,migration,sprint,backlog,roadmap,stakeholder,sponsor,committee,
  board,shareholder,acquisition,merger,layoff,hire,intern,apprentice,scholarship
`)
/** Everything else that is in the air. */
const WORDS = list(`
  productivity,time,family,coffee,travel,health,fitness,sleep,stress,burnout,happiness,gratitude,kindness,empathy,
  trust,honesty,courage,patience,resilience,curiosity,creativity,innovation,leadership,management,teamwork,
  collaboration,communication,listening,feedback,mentoring,coaching,learning,education,training,onboarding,hiring,
  recruiting,recruitment,retention,diversity,inclusion,equity,culture,wellbeing,mindfulness,motivation,discipline,
  focus,ambition,success,failure,risk,strategy,planning,execution,growth,revenue,profit,margin,cash,funding,
  fundraising,investment,valuation,inflation,recession,economy,trade,export,pricing,negotiation,procurement,
  logistics,shipping,retail,ecommerce,fintech,insurtech,edtech,proptech,healthtech,biotech,medtech,cleantech,
  agritech,legaltech,martech,adtech,foodtech,crypto,bitcoin,blockchain,payments,banking,insurance,accounting,
  audit,compliance,governance,privacy,cybersecurity,phishing,ransomware,encryption,cloud,hosting,automation,
  robotics,analytics,statistics,mathematics,physics,chemistry,biology,medicine,healthcare,pharmacy,nutrition,
  cooking,baking,gardening,football,basketball,tennis,cycling,running,hiking,swimming,yoga,chess,music,cinema,
  theatre,poetry,literature,photography,fashion,beauty,luxury,architecture,construction,engineering,manufacturing,
  energy,solar,wind,hydrogen,nuclear,oil,mining,steel,agriculture,forestry,fishing,water,climate,sustainability,
  recycling,biodiversity,pollution,transport,mobility,aviation,aerospace,space,maritime,automotive,tourism,
  hospitality,gaming,esports,media,journalism,publishing,advertising,marketing,branding,copywriting,storytelling,
  design,typography,usability,accessibility,software,programming,coding,testing,debugging,refactoring,
  documentation,devops,observability,scalability,latency,kubernetes,docker,linux,windows,python,javascript,
  typescript,java,golang,rust,react,angular,vue,SQL,postgres,mongodb,AWS,azure,terraform,github,gitlab,jira,slack,
  notion,zoom,excel,powerpoint,salesforce,hubspot,pipedrive,marketo,outreach,gong,zapier,shopify,stripe,paypal,
  amazon,google,microsoft,apple,meta,netflix,tesla,nvidia,openai,chatgpt,claude,gemini,copilot,midjourney,figma,
  canva,adobe,wordpress,webflow,snowflake,databricks,tableau,SAP,oracle,workday,linkedin,instagram,tiktok,youtube,
  reddit,sales,SDR,BDR,CRM,ABM,SEO,PPC,ROI,KPI,OKR,MVP,RFP,SLA,GDPR,ESG,IPO,CEO,CFO,CTO,CMO,COO,CRO,CISO,HR,PR,UX,
  UI,QA,AI,AGI,LLM,RAG,ML,NLP,API,SaaS,B2B,B2C,GTM,RevOps,MarTech,prospecting,cold,warm,inbound,outbound,pipeline,
  forecasting,quota,upsell,churn,loyalty,advocacy,community,networking,partnerships,consulting,outsourcing,
  freelancing,entrepreneurship,bootstrapping,venture,equity,crowdfunding,philanthropy,volunteering,politics,
  democracy,justice,immigration,housing,poverty,parenting,motherhood,fatherhood,retirement,pension,wealth,money,
  debt,saving,frugality,minimalism,decluttering,philosophy,psychology,sociology,history,geography,astronomy,
  linguistics,translation,English,Spanish,German,French,Europe,Africa,Asia,India,China,Japan,Germany,France,
  Brazil,London,Berlin,Paris,Singapore,Dubai,spring,summer,autumn,winter,Monday,Friday,morning,evening,remote,
  hybrid,office,commuting,flexibility,autonomy,accountability,transparency,integrity,humility,confidence,charisma,
  influence,persuasion,presentation,delegation,prioritization,simplicity,quality,speed,momentum,excellence,
  perfectionism,procrastination,serendipity,luck,talent,potential,experience,expertise,wisdom,intuition,logic,
  thinking,writing,reading,speaking,teaching,research,science,technology,future,change,disruption,transformation,
  digitalization,nearshoring,reshoring,onsite,offsite,keynote,panel,roundtable,hackathon,bootcamp,internship,
  apprenticeship,graduation,Vertrieb,Führung,Nachhaltigkeit,Digitalisierung,Unternehmertum,ventas,liderazgo,
  emprendimiento,vendas,liderança,recrutement,innovation,vente,leiderschap,verkoop,vendite,sprzedaż,försäljning,
  продажи,маркетинг,satış,営業,採用,マーケティング,销售,市场营销,创业,영업,마케팅,채용,مبيعات,تسويق,מכירות,שיווק,การตลาด,बिक्री
`)

const PAIRED = [
  'This quarter we put more time into {} than into {}.',
  'If {} is slow, look at {} first.',
  'Two subjects I keep reading about: {} and {}.',
  'Most people ask me about {}, then about {}.',
  'Nobody had written down who owns {}, or {}.',
  'We spent a day on {} and a week on {}.',
  'Somebody has to connect {} with {}.',
  'Good {} makes up for weak {}, for a while.',
]
const SAID = [
  'My notes on {} are finally written.',
  'I would start again with {}.',
  'The best hour of my week was about {}.',
  '{} came up in every conversation.',
  'We argued about {} and learnt from it.',
  'Nothing teaches {} like doing it.',
]
const ENDED = [
  'It comes back to {}, {} and {}.',
  'On my mind this week: {}, {}, {}.',
  'From {} to {}, and on to {}.',
  'What {}, {} and {} have in common is people.',
  'I could talk about {}, {} or {} all day.',
]

/** The first entries more often: of a hundred entries the first is drawn some six times as often as the last. */
const usual = (entries: readonly string[], random: Random): string =>
  entries[Math.floor(entries.length * random.next() ** 1.6)] as string

const plural = (thing: string): string =>
  /[^aeiou]y$/.test(thing) ? `${thing.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`
const word = (random: Random): string => {
  if (!random.chance(0.3)) return random.pick(WORDS)
  const thing = random.pick(THINGS)
  return random.chance(0.5) ? plural(thing) : thing
}

const filled = (pattern: string, words: readonly string[]): string => {
  let next = 0
  const text = pattern.replaceAll('{}', () => words[next++] as string)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const OWN_AREAS = 3
const OWN_SHARE = 0.5

/**
 * One more paragraph of ordinary words, so that whatever people usually search for is found: pairs such as `sales ops`, phrases that
 * everybody knows, single words. Every other area is one of the author's own few; `author` is who that depends on.
 */
export function ordinaryText(random: Random, author: string): string {
  const area = (): string =>
    random.chance(OWN_SHARE)
      ? (AREAS[Math.floor(AREAS.length * (hash32(author, 60 + random.int(OWN_AREAS)) / 2 ** 32) ** 1.6)] as string)
      : usual(AREAS, random)
  const pair = (): string => `${area()} ${usual(DOINGS, random)}`
  const sentences = [
    filled(random.pick(PAIRED), [pair(), pair()]),
    filled(random.pick(SAID), [random.chance(0.3) ? pair() : random.pick(PHRASES)]),
    filled(random.pick(ENDED), [word(random), word(random), word(random)]),
  ]
  return `\n\n${sentences.join(' ')}`
}
