// Generated from the contract; `npm run generate` writes it.
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'

export const events: INodePropertyOptions[] = [
  {
    name: "New Lead",
    value: "lead.detected"
  },
  {
    name: "New Post",
    value: "post.detected"
  },
  {
    name: "Sync Completed",
    value: "sync.completed"
  },
  {
    name: "Sync Failed",
    value: "sync.failed"
  }
]

export const properties: INodeProperties[] = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: [
      {
        name: "Account",
        value: "account"
      },
      {
        name: "Exclusion",
        value: "exclusion"
      },
      {
        name: "Export",
        value: "export"
      },
      {
        name: "Lead",
        value: "lead"
      },
      {
        name: "Result",
        value: "result"
      },
      {
        name: "Source",
        value: "source"
      }
    ],
    default: "lead"
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: {
      show: {
        resource: [
          "account"
        ]
      }
    },
    options: [
      {
        name: "Get Credits",
        value: "getCredits",
        action: "Get credits of a account",
        description: "Read the team's credit balance",
        routing: {
          request: {
            method: "GET",
            url: "/credits"
          }
        }
      }
    ],
    default: "getCredits"
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: {
      show: {
        resource: [
          "exclusion"
        ]
      }
    },
    options: [
      {
        name: "Add",
        value: "add",
        action: "Add of a exclusion",
        description: "Exclude people, companies, domains, titles or countries",
        routing: {
          request: {
            method: "POST",
            url: "/exclusions"
          }
        }
      },
      {
        name: "Get Many",
        value: "getMany",
        action: "Get many exclusions",
        description: "Get many exclusions",
        routing: {
          request: {
            method: "GET",
            url: "/exclusions"
          },
          output: {
            postReceive: [
              {
                type: "rootProperty",
                properties: {
                  property: "entries"
                }
              }
            ]
          }
        }
      }
    ],
    default: "add"
  },
  {
    displayName: "Kind",
    name: "kind",
    type: "options",
    options: [
      {
        name: "Company",
        value: "company"
      },
      {
        name: "Country",
        value: "country"
      },
      {
        name: "Domain",
        value: "domain"
      },
      {
        name: "Email",
        value: "email"
      },
      {
        name: "Person",
        value: "person"
      },
      {
        name: "Title",
        value: "title"
      }
    ],
    default: "company",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "exclusion"
        ],
        operation: [
          "add"
        ]
      }
    },
    description: "Kind of value to exclude",
    routing: {
      send: {
        type: "body",
        property: "entries[0].kind"
      }
    }
  },
  {
    displayName: "Value",
    name: "value",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "exclusion"
        ],
        operation: [
          "add"
        ]
      }
    },
    description: "\"person\": profile URL, handle or member ID; company: page URL, slug or number; domain: also matches its subdomains; email: email address; title: its words, as whole words in any case; country: name or code",
    routing: {
      send: {
        type: "body",
        property: "entries[0].value"
      }
    }
  },
  {
    displayName: "Additional Fields",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "exclusion"
        ],
        operation: [
          "add"
        ]
      }
    },
    options: [
      {
        displayName: "Dry Run",
        name: "dryRun",
        type: "boolean",
        default: false,
        description: "Whether \"Dry Run\" is on. True: only return the leads that would match.",
        routing: {
          send: {
            type: "body",
            property: "dryRun"
          }
        }
      },
      {
        displayName: "List",
        name: "list",
        type: "string",
        default: "",
        description: "Do_not_contact, customers, competitors, own_team, or a custom name; default do_not_contact",
        routing: {
          send: {
            type: "body",
            property: "list"
          }
        }
      },
      {
        displayName: "Reason",
        name: "reason",
        type: "string",
        default: "",
        description: "Why the value is excluded; stored with the entry",
        routing: {
          send: {
            type: "body",
            property: "entries[0].reason"
          }
        }
      },
      {
        displayName: "Replaces",
        name: "replaces",
        type: "string",
        typeOptions: {
          multipleValues: true
        },
        default: [],
        description: "IDs of entries to replace where a new entry has the same kind and value. The swap happens in one step, so a person moved to another list or given another reason stays excluded throughout. Listed entries without a match stay.",
        routing: {
          send: {
            type: "body",
            property: "replaces"
          }
        }
      }
    ]
  },
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    displayOptions: {
      show: {
        resource: [
          "exclusion"
        ],
        operation: [
          "getMany"
        ]
      }
    },
    description: "Whether to return all results or only up to a given limit",
    routing: {
      send: {
        paginate: "={{ $value }}"
      },
      operations: {
        pagination: {
          type: "offset",
          properties: {
            limitParameter: "limit",
            offsetParameter: "offset",
            pageSize: 100,
            type: "query"
          }
        }
      }
    }
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: {
      minValue: 1,
      maxValue: 100
    },
    default: 50,
    displayOptions: {
      show: {
        resource: [
          "exclusion"
        ],
        operation: [
          "getMany"
        ],
        returnAll: [
          false
        ]
      }
    },
    description: "Max number of results to return",
    routing: {
      send: {
        type: "query",
        property: "limit"
      }
    }
  },
  {
    displayName: "Filters",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Filter",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "exclusion"
        ],
        operation: [
          "getMany"
        ]
      }
    },
    options: [
      {
        displayName: "Kind",
        name: "kind",
        type: "options",
        options: [
          {
            name: "Company",
            value: "company"
          },
          {
            name: "Country",
            value: "country"
          },
          {
            name: "Domain",
            value: "domain"
          },
          {
            name: "Email",
            value: "email"
          },
          {
            name: "Person",
            value: "person"
          },
          {
            name: "Title",
            value: "title"
          }
        ],
        default: "company",
        description: "Only entries of this kind",
        routing: {
          send: {
            type: "query",
            property: "kind"
          }
        }
      },
      {
        displayName: "List",
        name: "list",
        type: "string",
        default: "",
        description: "The name of a list",
        routing: {
          send: {
            type: "query",
            property: "list"
          }
        }
      },
      {
        displayName: "Query",
        name: "query",
        type: "string",
        default: "",
        description: "Part of the value or the reason, case-insensitive",
        routing: {
          send: {
            type: "query",
            property: "query"
          }
        }
      }
    ]
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: {
      show: {
        resource: [
          "export"
        ]
      }
    },
    options: [
      {
        name: "Create",
        value: "create",
        action: "Create of a export",
        description: "Export leads to a file",
        routing: {
          request: {
            method: "POST",
            url: "/exports"
          }
        }
      },
      {
        name: "Get",
        value: "get",
        action: "Get of a export",
        description: "Read an export",
        routing: {
          request: {
            method: "GET",
            url: "=/exports/{{ encodeURIComponent($parameter[\"id\"]) }}"
          }
        }
      }
    ],
    default: "create"
  },
  {
    displayName: "Format",
    name: "format",
    type: "options",
    options: [
      {
        name: "CSV",
        value: "csv"
      },
      {
        name: "Jsonl",
        value: "jsonl"
      }
    ],
    default: "csv",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "export"
        ],
        operation: [
          "create"
        ]
      }
    },
    description: "\"jsonl\": one JSON object per line",
    routing: {
      send: {
        type: "body",
        property: "format"
      }
    }
  },
  {
    displayName: "Additional Fields",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "export"
        ],
        operation: [
          "create"
        ]
      }
    },
    options: [
      {
        displayName: "Filters",
        name: "filters",
        type: "json",
        default: "",
        description: "Only leads that match every row",
        routing: {
          send: {
            type: "body",
            property: "filters",
            value: "={{ typeof $value === \"string\" ? JSON.parse($value) : $value }}"
          }
        }
      },
      {
        displayName: "Preset",
        name: "preset",
        type: "options",
        options: [
          {
            name: "Apollo",
            value: "apollo"
          },
          {
            name: "Clay",
            value: "clay"
          },
          {
            name: "Heyreach",
            value: "heyreach"
          },
          {
            name: "Hubspot",
            value: "hubspot"
          },
          {
            name: "Instantly",
            value: "instantly"
          },
          {
            name: "Smartlead",
            value: "smartlead"
          }
        ],
        default: "apollo",
        description: "The importer whose columns the file has",
        routing: {
          send: {
            type: "body",
            property: "preset"
          }
        }
      }
    ]
  },
  {
    displayName: "ID",
    name: "id",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "export"
        ],
        operation: [
          "get"
        ]
      }
    },
    description: "ID of the export"
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: {
      show: {
        resource: [
          "lead"
        ]
      }
    },
    options: [
      {
        name: "Enrich Company",
        value: "enrichCompany",
        action: "Enrich company of a lead",
        description: "Enrich a company, optionally tracking its page",
        routing: {
          request: {
            method: "POST",
            url: "/enrich/company",
            headers: {
              "Idempotency-Key": "={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}"
            }
          }
        }
      },
      {
        name: "Enrich Person",
        value: "enrichPerson",
        action: "Enrich person of a lead",
        description: "Enrich a person, optionally tracking them",
        routing: {
          request: {
            method: "POST",
            url: "/enrich/profile",
            headers: {
              "Idempotency-Key": "={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}"
            }
          }
        }
      },
      {
        name: "Explain",
        value: "explain",
        action: "Explain of a lead",
        description: "Explain why a lead was not delivered",
        routing: {
          request: {
            method: "GET",
            url: "=/leads/{{ encodeURIComponent($parameter[\"leadId\"]) }}/why"
          }
        }
      },
      {
        name: "Get Many",
        value: "getMany",
        action: "Get many leads",
        description: "Get many leads",
        routing: {
          request: {
            method: "GET",
            url: "/leads"
          },
          output: {
            postReceive: [
              {
                type: "rootProperty",
                properties: {
                  property: "leads"
                }
              }
            ]
          }
        }
      },
      {
        name: "Get People",
        value: "getPeople",
        action: "Get people of a lead",
        description: "List people who engaged, most recent first",
        routing: {
          request: {
            method: "GET",
            url: "/engagers"
          },
          output: {
            postReceive: [
              {
                type: "rootProperty",
                properties: {
                  property: "engagers"
                }
              }
            ]
          }
        }
      }
    ],
    default: "getMany"
  },
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    displayOptions: {
      show: {
        resource: [
          "lead"
        ],
        operation: [
          "getMany"
        ]
      }
    },
    description: "Whether to return all results or only up to a given limit",
    routing: {
      send: {
        paginate: "={{ $value }}"
      },
      operations: {
        pagination: {
          type: "offset",
          properties: {
            limitParameter: "limit",
            offsetParameter: "offset",
            pageSize: 100,
            type: "query"
          }
        }
      }
    }
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: {
      minValue: 1,
      maxValue: 100
    },
    default: 50,
    displayOptions: {
      show: {
        resource: [
          "lead"
        ],
        operation: [
          "getMany"
        ],
        returnAll: [
          false
        ]
      }
    },
    description: "Max number of results to return",
    routing: {
      send: {
        type: "query",
        property: "limit"
      }
    }
  },
  {
    displayName: "Filters",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Filter",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "lead"
        ],
        operation: [
          "getMany"
        ]
      }
    },
    options: [
      {
        displayName: "Company",
        name: "company",
        type: "string",
        default: "",
        description: "Part of the company's name, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "company"
          }
        }
      },
      {
        displayName: "Company Domain",
        name: "companyDomain",
        type: "string",
        default: "",
        description: "Part of the company's domain, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "companyDomain"
          }
        }
      },
      {
        displayName: "Company Industry",
        name: "companyIndustry",
        type: "string",
        default: "",
        description: "Part of the company's industry, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "companyIndustry"
          }
        }
      },
      {
        displayName: "Country",
        name: "country",
        type: "string",
        default: "",
        description: "Part of the country, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "country"
          }
        }
      },
      {
        displayName: "Engagement Type",
        name: "engagementType",
        type: "options",
        options: [
          {
            name: "Author",
            value: "Author"
          },
          {
            name: "Comment",
            value: "Comment"
          },
          {
            name: "Like",
            value: "Like"
          }
        ],
        default: "Author",
        description: "How the person engaged: Like (any reaction), Comment (including replies) or Author",
        routing: {
          send: {
            type: "query",
            property: "engagementType"
          }
        }
      },
      {
        displayName: "Excluded",
        name: "excluded",
        type: "options",
        options: [
          {
            name: "Exclude",
            value: "exclude"
          },
          {
            name: "Include",
            value: "include"
          },
          {
            name: "Only",
            value: "only"
          }
        ],
        default: "exclude",
        description: "\"exclude\" hides excluded people, \"only\" returns only excluded people; default include",
        routing: {
          send: {
            type: "query",
            property: "excluded"
          }
        }
      },
      {
        displayName: "Include Inactive",
        name: "includeInactive",
        type: "boolean",
        default: false,
        description: "Whether \"Include Inactive\" is on. Include kept leads of untracked sources; default false.",
        routing: {
          send: {
            type: "query",
            property: "includeInactive"
          }
        }
      },
      {
        displayName: "Include Syncing",
        name: "includeSyncing",
        type: "boolean",
        default: false,
        description: "Whether \"Include Syncing\" is on. Include leads of sources that are syncing now; ignored with profileId or username.",
        routing: {
          send: {
            type: "query",
            property: "includeSyncing"
          }
        }
      },
      {
        displayName: "Is ICP",
        name: "isIcp",
        type: "boolean",
        default: false,
        description: "Whether \"Is ICP\" is on. Only leads that match (true) or do not match (false) the ICP criteria of their source.",
        routing: {
          send: {
            type: "query",
            property: "isIcp"
          }
        }
      },
      {
        displayName: "Job Title",
        name: "jobTitle",
        type: "string",
        default: "",
        description: "Part of the job title, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "jobTitle"
          }
        }
      },
      {
        displayName: "Name",
        name: "name",
        type: "string",
        default: "",
        description: "Part of the name, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "name"
          }
        }
      },
      {
        displayName: "Profile ID",
        name: "profileId",
        type: "string",
        default: "",
        description: "ID of a source; cannot be combined with username",
        routing: {
          send: {
            type: "query",
            property: "profileId"
          }
        }
      },
      {
        displayName: "Since",
        name: "since",
        type: "dateTime",
        default: "",
        description: "Stored at or after this time",
        routing: {
          send: {
            type: "query",
            property: "since",
            value: "={{ new Date($value).toISOString() }}"
          }
        }
      },
      {
        displayName: "Source Kind",
        name: "sourceKind",
        type: "options",
        options: [
          {
            name: "All",
            value: "all"
          },
          {
            name: "Keyword",
            value: "keyword"
          },
          {
            name: "Post",
            value: "post"
          },
          {
            name: "Profile",
            value: "profile"
          }
        ],
        default: "all",
        description: "Only leads of this kind of source; profile means people and company pages",
        routing: {
          send: {
            type: "query",
            property: "sourceKind"
          }
        }
      },
      {
        displayName: "Until",
        name: "until",
        type: "dateTime",
        default: "",
        description: "Stored at or before this time; a date alone means the end of that day",
        routing: {
          send: {
            type: "query",
            property: "until",
            value: "={{ new Date($value).toISOString() }}"
          }
        }
      },
      {
        displayName: "Username",
        name: "username",
        type: "string",
        default: "",
        description: "Handle, member ID or slug of a source; cannot be combined with profileId",
        routing: {
          send: {
            type: "query",
            property: "username"
          }
        }
      },
      {
        displayName: "Webhook Status",
        name: "webhookStatus",
        type: "options",
        options: [
          {
            name: "Failed",
            value: "failed"
          },
          {
            name: "No Webhook",
            value: "no_webhook"
          },
          {
            name: "Pending",
            value: "pending"
          },
          {
            name: "Sent",
            value: "sent"
          }
        ],
        default: "failed",
        description: "Delivery to the webhook: pending, sent, failed or no_webhook",
        routing: {
          send: {
            type: "query",
            property: "webhookStatus"
          }
        }
      }
    ]
  },
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    displayOptions: {
      show: {
        resource: [
          "lead"
        ],
        operation: [
          "getPeople"
        ]
      }
    },
    description: "Whether to return all results or only up to a given limit",
    routing: {
      send: {
        paginate: "={{ $value }}"
      },
      operations: {
        pagination: {
          type: "offset",
          properties: {
            limitParameter: "limit",
            offsetParameter: "offset",
            pageSize: 100,
            type: "query"
          }
        }
      }
    }
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: {
      minValue: 1,
      maxValue: 100
    },
    default: 50,
    displayOptions: {
      show: {
        resource: [
          "lead"
        ],
        operation: [
          "getPeople"
        ],
        returnAll: [
          false
        ]
      }
    },
    description: "Max number of results to return",
    routing: {
      send: {
        type: "query",
        property: "limit"
      }
    }
  },
  {
    displayName: "Filters",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Filter",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "lead"
        ],
        operation: [
          "getPeople"
        ]
      }
    },
    options: [
      {
        displayName: "Company",
        name: "company",
        type: "string",
        default: "",
        description: "Part of the company's name, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "company"
          }
        }
      },
      {
        displayName: "Company Domain",
        name: "companyDomain",
        type: "string",
        default: "",
        description: "Part of the company's domain, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "companyDomain"
          }
        }
      },
      {
        displayName: "Company Industry",
        name: "companyIndustry",
        type: "string",
        default: "",
        description: "Part of the company's industry, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "companyIndustry"
          }
        }
      },
      {
        displayName: "Country",
        name: "country",
        type: "string",
        default: "",
        description: "Part of the country, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "country"
          }
        }
      },
      {
        displayName: "Engagement Type",
        name: "engagementType",
        type: "options",
        options: [
          {
            name: "Author",
            value: "Author"
          },
          {
            name: "Comment",
            value: "Comment"
          },
          {
            name: "Like",
            value: "Like"
          }
        ],
        default: "Author",
        description: "How the person engaged: Like (any reaction), Comment (including replies) or Author",
        routing: {
          send: {
            type: "query",
            property: "engagementType"
          }
        }
      },
      {
        displayName: "Excluded",
        name: "excluded",
        type: "options",
        options: [
          {
            name: "Exclude",
            value: "exclude"
          },
          {
            name: "Include",
            value: "include"
          },
          {
            name: "Only",
            value: "only"
          }
        ],
        default: "exclude",
        description: "\"exclude\" hides excluded people, \"only\" returns only excluded people; default include",
        routing: {
          send: {
            type: "query",
            property: "excluded"
          }
        }
      },
      {
        displayName: "Include Inactive",
        name: "includeInactive",
        type: "boolean",
        default: false,
        description: "Whether \"Include Inactive\" is on. Include kept leads of untracked sources; default false.",
        routing: {
          send: {
            type: "query",
            property: "includeInactive"
          }
        }
      },
      {
        displayName: "Include Syncing",
        name: "includeSyncing",
        type: "boolean",
        default: false,
        description: "Whether \"Include Syncing\" is on. Include leads of sources that are syncing now; ignored with profileId or username.",
        routing: {
          send: {
            type: "query",
            property: "includeSyncing"
          }
        }
      },
      {
        displayName: "Is ICP",
        name: "isIcp",
        type: "boolean",
        default: false,
        description: "Whether \"Is ICP\" is on. Only leads that match (true) or do not match (false) the ICP criteria of their source.",
        routing: {
          send: {
            type: "query",
            property: "isIcp"
          }
        }
      },
      {
        displayName: "Job Title",
        name: "jobTitle",
        type: "string",
        default: "",
        description: "Part of the job title, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "jobTitle"
          }
        }
      },
      {
        displayName: "Name",
        name: "name",
        type: "string",
        default: "",
        description: "Part of the name, case-insensitive; leads without a value never match",
        routing: {
          send: {
            type: "query",
            property: "name"
          }
        }
      },
      {
        displayName: "Profile ID",
        name: "profileId",
        type: "string",
        default: "",
        description: "ID of a source; cannot be combined with username",
        routing: {
          send: {
            type: "query",
            property: "profileId"
          }
        }
      },
      {
        displayName: "Since",
        name: "since",
        type: "dateTime",
        default: "",
        description: "Stored at or after this time",
        routing: {
          send: {
            type: "query",
            property: "since",
            value: "={{ new Date($value).toISOString() }}"
          }
        }
      },
      {
        displayName: "Source Kind",
        name: "sourceKind",
        type: "options",
        options: [
          {
            name: "All",
            value: "all"
          },
          {
            name: "Keyword",
            value: "keyword"
          },
          {
            name: "Post",
            value: "post"
          },
          {
            name: "Profile",
            value: "profile"
          }
        ],
        default: "all",
        description: "Only leads of this kind of source; profile means people and company pages",
        routing: {
          send: {
            type: "query",
            property: "sourceKind"
          }
        }
      },
      {
        displayName: "Until",
        name: "until",
        type: "dateTime",
        default: "",
        description: "Stored at or before this time; a date alone means the end of that day",
        routing: {
          send: {
            type: "query",
            property: "until",
            value: "={{ new Date($value).toISOString() }}"
          }
        }
      },
      {
        displayName: "Username",
        name: "username",
        type: "string",
        default: "",
        description: "Handle, member ID or slug of a source; cannot be combined with profileId",
        routing: {
          send: {
            type: "query",
            property: "username"
          }
        }
      },
      {
        displayName: "Webhook Status",
        name: "webhookStatus",
        type: "options",
        options: [
          {
            name: "Failed",
            value: "failed"
          },
          {
            name: "No Webhook",
            value: "no_webhook"
          },
          {
            name: "Pending",
            value: "pending"
          },
          {
            name: "Sent",
            value: "sent"
          }
        ],
        default: "failed",
        description: "Delivery to the webhook: pending, sent, failed or no_webhook",
        routing: {
          send: {
            type: "query",
            property: "webhookStatus"
          }
        }
      }
    ]
  },
  {
    displayName: "Lead ID",
    name: "leadId",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "lead"
        ],
        operation: [
          "explain"
        ]
      }
    },
    description: "ID of a lead"
  },
  {
    displayName: "Username",
    name: "username",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "lead"
        ],
        operation: [
          "enrichPerson"
        ]
      }
    },
    description: "Handle (\"jane-doe\") or member ID (\"ACoAA…\", case-sensitive) of a person; never a URL or a source ID",
    routing: {
      send: {
        type: "body",
        property: "username"
      }
    }
  },
  {
    displayName: "Username",
    name: "username",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "lead"
        ],
        operation: [
          "enrichCompany"
        ]
      }
    },
    description: "Slug or number of a company page (\"acme\", \"1035\"), or its URL",
    routing: {
      send: {
        type: "body",
        property: "username"
      }
    }
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: {
      show: {
        resource: [
          "result"
        ]
      }
    },
    options: [
      {
        name: "Record",
        value: "record",
        action: "Record of a result",
        description: "Record results of leads",
        routing: {
          request: {
            method: "POST",
            url: "/results"
          }
        }
      }
    ],
    default: "record"
  },
  {
    displayName: "Outcome",
    name: "outcome",
    type: "options",
    options: [
      {
        name: "Accepted",
        value: "accepted"
      },
      {
        name: "Bounced",
        value: "bounced"
      },
      {
        name: "Interested",
        value: "interested"
      },
      {
        name: "Lost",
        value: "lost"
      },
      {
        name: "Meeting",
        value: "meeting"
      },
      {
        name: "Not Interested",
        value: "not_interested"
      },
      {
        name: "Replied",
        value: "replied"
      },
      {
        name: "Sent",
        value: "sent"
      },
      {
        name: "Unsubscribed",
        value: "unsubscribed"
      },
      {
        name: "Won",
        value: "won"
      }
    ],
    default: "accepted",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "result"
        ],
        operation: [
          "record"
        ]
      }
    },
    description: "Outcome to record for the person",
    routing: {
      send: {
        type: "body",
        property: "results[0].outcome"
      }
    }
  },
  {
    displayName: "Additional Fields",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "result"
        ],
        operation: [
          "record"
        ]
      }
    },
    options: [
      {
        displayName: "Amount",
        name: "amount",
        type: "number",
        default: 0,
        typeOptions: {
          minValue: 0,
          maxValue: 1000000000000
        },
        description: "Value of a won deal",
        routing: {
          send: {
            type: "body",
            property: "results[0].amount"
          }
        }
      },
      {
        displayName: "At",
        name: "at",
        type: "dateTime",
        default: "",
        description: "Time of the outcome; default now",
        routing: {
          send: {
            type: "body",
            property: "results[0].at",
            value: "={{ new Date($value).toISOString() }}"
          }
        }
      },
      {
        displayName: "Currency",
        name: "currency",
        type: "string",
        default: "",
        description: "The currency of the amount, for example EUR",
        routing: {
          send: {
            type: "body",
            property: "results[0].currency"
          }
        }
      },
      {
        displayName: "External ID",
        name: "externalId",
        type: "string",
        default: "",
        description: "Your own ID for the result. A result sent again with the same ID is a duplicate.",
        routing: {
          send: {
            type: "body",
            property: "results[0].externalId"
          }
        }
      },
      {
        displayName: "Lead ID",
        name: "leadId",
        type: "string",
        default: "",
        description: "ID of a lead of the person",
        routing: {
          send: {
            type: "body",
            property: "results[0].leadId"
          }
        }
      },
      {
        displayName: "Note",
        name: "note",
        type: "string",
        default: "",
        description: "A free-text note to keep with the result",
        routing: {
          send: {
            type: "body",
            property: "results[0].note"
          }
        }
      },
      {
        displayName: "Profile URL",
        name: "profileUrl",
        type: "string",
        default: "",
        description: "URL of the profile on the network",
        routing: {
          send: {
            type: "body",
            property: "results[0].profileUrl"
          }
        }
      }
    ]
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: {
      show: {
        resource: [
          "source"
        ]
      }
    },
    options: [
      {
        name: "Get Many",
        value: "getMany",
        action: "Get many sources",
        description: "Get many sources",
        routing: {
          request: {
            method: "GET",
            url: "/sources"
          },
          output: {
            postReceive: [
              {
                type: "rootProperty",
                properties: {
                  property: "sources"
                }
              }
            ]
          }
        }
      },
      {
        name: "Get Sync",
        value: "getSync",
        action: "Get sync of a source",
        description: "Sync status of a source",
        routing: {
          request: {
            method: "GET",
            url: "=/sources/{{ encodeURIComponent($parameter[\"id\"]) }}/sync"
          }
        }
      },
      {
        name: "Sync",
        value: "sync",
        action: "Sync of a source",
        description: "Sync a person, company or post now",
        routing: {
          request: {
            method: "POST",
            url: "=/sources/{{ encodeURIComponent($parameter[\"id\"]) }}/sync",
            headers: {
              "Idempotency-Key": "={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}"
            }
          }
        }
      },
      {
        name: "Track Company",
        value: "trackCompany",
        action: "Track company of a source",
        description: "Enrich a company, optionally tracking its page",
        routing: {
          request: {
            method: "POST",
            url: "/enrich/company",
            body: {
              saveTrackedProfile: true
            },
            headers: {
              "Idempotency-Key": "={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}"
            }
          }
        }
      },
      {
        name: "Track Keyword",
        value: "trackKeyword",
        action: "Track keyword of a source",
        description: "Track a keyword search, or resume it",
        routing: {
          request: {
            method: "POST",
            url: "/keyword/track",
            headers: {
              "Idempotency-Key": "={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}"
            }
          }
        }
      },
      {
        name: "Track Person",
        value: "trackPerson",
        action: "Track person of a source",
        description: "Enrich a person, optionally tracking them",
        routing: {
          request: {
            method: "POST",
            url: "/enrich/profile",
            body: {
              saveTrackedProfile: true
            },
            headers: {
              "Idempotency-Key": "={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}"
            }
          }
        }
      },
      {
        name: "Track Post",
        value: "trackPost",
        action: "Track post of a source",
        description: "Track one post",
        routing: {
          request: {
            method: "POST",
            url: "/post/track",
            headers: {
              "Idempotency-Key": "={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}"
            }
          }
        }
      }
    ],
    default: "getMany"
  },
  {
    displayName: "Filters",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Filter",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "getMany"
        ]
      }
    },
    options: [
      {
        displayName: "Include Inactive",
        name: "includeInactive",
        type: "boolean",
        default: false,
        description: "Whether \"Include Inactive\" is on. Include untracked sources; default false.",
        routing: {
          send: {
            type: "query",
            property: "includeInactive"
          }
        }
      },
      {
        displayName: "Type",
        name: "type",
        type: "options",
        options: [
          {
            name: "Company",
            value: "company"
          },
          {
            name: "Keyword",
            value: "keyword"
          },
          {
            name: "Person",
            value: "person"
          },
          {
            name: "Post",
            value: "post"
          }
        ],
        default: "company",
        description: "Only sources of this kind",
        routing: {
          send: {
            type: "query",
            property: "type"
          }
        }
      }
    ]
  },
  {
    displayName: "ID",
    name: "id",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "getSync"
        ]
      }
    },
    description: "ID of the source"
  },
  {
    displayName: "ID",
    name: "id",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "sync"
        ]
      }
    },
    description: "ID of the source"
  },
  {
    displayName: "Username",
    name: "username",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "trackPerson"
        ]
      }
    },
    description: "Handle (\"jane-doe\") or member ID (\"ACoAA…\", case-sensitive) of a person; never a URL or a source ID",
    routing: {
      send: {
        type: "body",
        property: "username"
      }
    }
  },
  {
    displayName: "Additional Fields",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "trackPerson"
        ]
      }
    },
    options: [
      {
        displayName: "Capture Replies",
        name: "captureReplies",
        type: "boolean",
        default: false,
        description: "Whether \"Capture Replies\" is on. Default true.",
        routing: {
          send: {
            type: "body",
            property: "captureReplies"
          }
        }
      },
      {
        displayName: "Confirm Spend",
        name: "confirmSpend",
        type: "boolean",
        default: false,
        description: "Whether \"Confirm Spend\" is on. Required for posts_only, for tracking an untracked posts-only source again, and for switching a posts-only source to engagers.",
        routing: {
          send: {
            type: "body",
            property: "confirmSpend"
          }
        }
      },
      {
        displayName: "Credit Cap Per Sync",
        name: "creditCapPerSync",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 2147483647
        },
        description: "Maximum lead rows one sync may store",
        routing: {
          send: {
            type: "body",
            property: "creditCapPerSync"
          }
        }
      },
      {
        displayName: "Enrich Leads",
        name: "enrichLeads",
        type: "boolean",
        default: false,
        description: "Whether \"Enrich Leads\" is on. Default true; false = raw mode.",
        routing: {
          send: {
            type: "body",
            property: "enrichLeads"
          }
        }
      },
      {
        displayName: "First Sync Days",
        name: "firstSyncDays",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 90
        },
        description: "First sync only: maximum age of posts to read, in days; null = no time limit",
        routing: {
          send: {
            type: "body",
            property: "firstSyncDays"
          }
        }
      },
      {
        displayName: "First Sync Posts",
        name: "firstSyncPosts",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 50
        },
        description: "First sync only: number of latest posts to read; null = 15",
        routing: {
          send: {
            type: "body",
            property: "firstSyncPosts"
          }
        }
      },
      {
        displayName: "Mode",
        name: "mode",
        type: "options",
        options: [
          {
            name: "Engagers",
            value: "engagers"
          },
          {
            name: "Posts Only",
            value: "posts_only"
          }
        ],
        default: "engagers",
        description: "Default engagers",
        routing: {
          send: {
            type: "body",
            property: "mode"
          }
        }
      },
      {
        displayName: "Posts Per Sync",
        name: "postsPerSync",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 60
        },
        description: "\"posts_only\": maximum new posts that one sync stores and charges. Null in engagers mode.",
        routing: {
          send: {
            type: "body",
            property: "postsPerSync"
          }
        }
      }
    ]
  },
  {
    displayName: "Username",
    name: "username",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "trackCompany"
        ]
      }
    },
    description: "Slug or number of a company page (\"acme\", \"1035\"), or its URL",
    routing: {
      send: {
        type: "body",
        property: "username"
      }
    }
  },
  {
    displayName: "Additional Fields",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "trackCompany"
        ]
      }
    },
    options: [
      {
        displayName: "Capture Replies",
        name: "captureReplies",
        type: "boolean",
        default: false,
        description: "Whether \"Capture Replies\" is on. Default true.",
        routing: {
          send: {
            type: "body",
            property: "captureReplies"
          }
        }
      },
      {
        displayName: "Confirm Spend",
        name: "confirmSpend",
        type: "boolean",
        default: false,
        description: "Whether \"Confirm Spend\" is on. Required for posts_only, for tracking an untracked posts-only source again, and for switching a posts-only source to engagers.",
        routing: {
          send: {
            type: "body",
            property: "confirmSpend"
          }
        }
      },
      {
        displayName: "Credit Cap Per Sync",
        name: "creditCapPerSync",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 2147483647
        },
        description: "Maximum lead rows one sync may store",
        routing: {
          send: {
            type: "body",
            property: "creditCapPerSync"
          }
        }
      },
      {
        displayName: "Enrich Leads",
        name: "enrichLeads",
        type: "boolean",
        default: false,
        description: "Whether \"Enrich Leads\" is on. Default true; false = raw mode.",
        routing: {
          send: {
            type: "body",
            property: "enrichLeads"
          }
        }
      },
      {
        displayName: "First Sync Days",
        name: "firstSyncDays",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 90
        },
        description: "First sync only: maximum age of posts to read, in days; null = no time limit",
        routing: {
          send: {
            type: "body",
            property: "firstSyncDays"
          }
        }
      },
      {
        displayName: "First Sync Posts",
        name: "firstSyncPosts",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 50
        },
        description: "First sync only: number of latest posts to read; null = 15",
        routing: {
          send: {
            type: "body",
            property: "firstSyncPosts"
          }
        }
      },
      {
        displayName: "Mode",
        name: "mode",
        type: "options",
        options: [
          {
            name: "Engagers",
            value: "engagers"
          },
          {
            name: "Posts Only",
            value: "posts_only"
          }
        ],
        default: "engagers",
        description: "Default engagers",
        routing: {
          send: {
            type: "body",
            property: "mode"
          }
        }
      },
      {
        displayName: "Posts Per Sync",
        name: "postsPerSync",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 60
        },
        description: "\"posts_only\": maximum new posts that one sync stores and charges. Null in engagers mode.",
        routing: {
          send: {
            type: "body",
            property: "postsPerSync"
          }
        }
      }
    ]
  },
  {
    displayName: "Post URL",
    name: "postUrl",
    type: "string",
    default: "",
    required: true,
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "trackPost"
        ]
      }
    },
    description: "Feed-update URL, share-menu permalink, or a bare activity or ugcPost URN; share URNs are always refused",
    routing: {
      send: {
        type: "body",
        property: "postUrl"
      }
    }
  },
  {
    displayName: "Additional Fields",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "trackPost"
        ]
      }
    },
    options: [
      {
        displayName: "Capture Replies",
        name: "captureReplies",
        type: "boolean",
        default: false,
        description: "Whether \"Capture Replies\" is on. Default true.",
        routing: {
          send: {
            type: "body",
            property: "captureReplies"
          }
        }
      },
      {
        displayName: "Credit Cap Per Sync",
        name: "creditCapPerSync",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 2147483647
        },
        description: "Maximum lead rows one sync may store",
        routing: {
          send: {
            type: "body",
            property: "creditCapPerSync"
          }
        }
      },
      {
        displayName: "Enrich Leads",
        name: "enrichLeads",
        type: "boolean",
        default: false,
        description: "Whether \"Enrich Leads\" is on. Default true; false = raw mode.",
        routing: {
          send: {
            type: "body",
            property: "enrichLeads"
          }
        }
      }
    ]
  },
  {
    displayName: "Additional Fields",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: {
      show: {
        resource: [
          "source"
        ],
        operation: [
          "trackKeyword"
        ]
      }
    },
    options: [
      {
        displayName: "AI Model",
        name: "aiModel",
        type: "string",
        default: "",
        description: "Blank or omitted: the provider's default model",
        routing: {
          send: {
            type: "body",
            property: "aiModel"
          }
        }
      },
      {
        displayName: "AI Prompt",
        name: "aiPrompt",
        type: "string",
        default: "",
        description: "Describes which posts to keep. Required with aiProvider.",
        routing: {
          send: {
            type: "body",
            property: "aiPrompt"
          }
        }
      },
      {
        displayName: "AI Provider",
        name: "aiProvider",
        type: "options",
        options: [
          {
            name: "Anthropic",
            value: "anthropic"
          },
          {
            name: "Google",
            value: "google"
          },
          {
            name: "Mistral",
            value: "mistral"
          },
          {
            name: "Openai",
            value: "openai"
          }
        ],
        default: "anthropic",
        description: "AI vendor whose model decides which posts to keep; store its key on the dashboard",
        routing: {
          send: {
            type: "body",
            property: "aiProvider"
          }
        }
      },
      {
        displayName: "Author Company",
        name: "authorCompany",
        type: "string",
        typeOptions: {
          multipleValues: true
        },
        default: [],
        description: "Each value: a numeric organisation ID, bare or as urn:li:organization:&lt;n&gt;",
        routing: {
          send: {
            type: "body",
            property: "authorCompany"
          }
        }
      },
      {
        displayName: "Author Industry",
        name: "authorIndustry",
        type: "string",
        typeOptions: {
          multipleValues: true
        },
        default: [],
        description: "Each value: a numeric industry ID, bare or as urn:li:industry:&lt;n&gt;",
        routing: {
          send: {
            type: "body",
            property: "authorIndustry"
          }
        }
      },
      {
        displayName: "Author Keyword",
        name: "authorKeyword",
        type: "string",
        typeOptions: {
          multipleValues: true
        },
        default: [],
        description: "Each value: plain words",
        routing: {
          send: {
            type: "body",
            property: "authorKeyword"
          }
        }
      },
      {
        displayName: "Capture Engagers",
        name: "captureEngagers",
        type: "boolean",
        default: false,
        description: "Whether \"Capture Engagers\" is on. Default true; false needs capturePostAuthors: true; refused with posts_only.",
        routing: {
          send: {
            type: "body",
            property: "captureEngagers"
          }
        }
      },
      {
        displayName: "Capture Mode",
        name: "captureMode",
        type: "options",
        options: [
          {
            name: "Breadth",
            value: "breadth"
          },
          {
            name: "Depth",
            value: "depth"
          }
        ],
        default: "breadth",
        description: "Default depth",
        routing: {
          send: {
            type: "body",
            property: "captureMode"
          }
        }
      },
      {
        displayName: "Capture Post Authors",
        name: "capturePostAuthors",
        type: "boolean",
        default: false,
        description: "Whether \"Capture Post Authors\" is on. Default false; refused with posts_only.",
        routing: {
          send: {
            type: "body",
            property: "capturePostAuthors"
          }
        }
      },
      {
        displayName: "Capture Replies",
        name: "captureReplies",
        type: "boolean",
        default: false,
        description: "Whether \"Capture Replies\" is on. Default true.",
        routing: {
          send: {
            type: "body",
            property: "captureReplies"
          }
        }
      },
      {
        displayName: "Confirm Changes",
        name: "confirmChanges",
        type: "boolean",
        default: false,
        description: "Whether \"Confirm Changes\" is on. Confirms that the resume may change a targeting filter, sort, datePosted, contentType or the AI filter.",
        routing: {
          send: {
            type: "body",
            property: "confirmChanges"
          }
        }
      },
      {
        displayName: "Confirm Spend",
        name: "confirmSpend",
        type: "boolean",
        default: false,
        description: "Whether \"Confirm Spend\" is on. Confirms the spending of the search; required by contract version 2026-11-01.",
        routing: {
          send: {
            type: "body",
            property: "confirmSpend"
          }
        }
      },
      {
        displayName: "Content Type",
        name: "contentType",
        type: "options",
        options: [
          {
            name: "COLLABORATIVE ARTICLE",
            value: "COLLABORATIVE_ARTICLE"
          },
          {
            name: "DOCUMENT",
            value: "DOCUMENT"
          },
          {
            name: "IMAGE",
            value: "IMAGE"
          },
          {
            name: "JOB",
            value: "JOB"
          },
          {
            name: "LIVE VIDEO",
            value: "LIVE_VIDEO"
          },
          {
            name: "VIDEO",
            value: "VIDEO"
          }
        ],
        default: "COLLABORATIVE_ARTICLE",
        description: "Media type of the post; null for any type or no media",
        routing: {
          send: {
            type: "body",
            property: "contentType"
          }
        }
      },
      {
        displayName: "Credit Cap",
        name: "creditCap",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 2147483647
        },
        description: "Credits one run may spend; default 100",
        routing: {
          send: {
            type: "body",
            property: "creditCap"
          }
        }
      },
      {
        displayName: "Date Posted",
        name: "datePosted",
        type: "options",
        options: [
          {
            name: "PAST 24 HOURS",
            value: "PAST_24_HOURS"
          },
          {
            name: "PAST MONTH",
            value: "PAST_MONTH"
          },
          {
            name: "PAST WEEK",
            value: "PAST_WEEK"
          }
        ],
        default: "PAST_24_HOURS",
        description: "Default PAST_WEEK",
        routing: {
          send: {
            type: "body",
            property: "datePosted"
          }
        }
      },
      {
        displayName: "End At",
        name: "endAt",
        type: "dateTime",
        default: "",
        description: "No run starts after this instant, which must be in the future; null = no end",
        routing: {
          send: {
            type: "body",
            property: "endAt",
            value: "={{ new Date($value).toISOString() }}"
          }
        }
      },
      {
        displayName: "Enrich Leads",
        name: "enrichLeads",
        type: "boolean",
        default: false,
        description: "Whether \"Enrich Leads\" is on. Default true; false = raw mode.",
        routing: {
          send: {
            type: "body",
            property: "enrichLeads"
          }
        }
      },
      {
        displayName: "Expression",
        name: "expression",
        type: "string",
        default: "",
        description: "Terms joined by AND, OR and NOT in upper case; NOT binds tighter than AND, AND tighter than OR; no parentheses; adjacent terms mean OR; NOT must follow AND or OR, or begin the expression; double quotes make a phrase. At most 1000 characters, not counting the parentheses and the OR between adjacent terms that the canonical form adds.",
        routing: {
          send: {
            type: "body",
            property: "expression"
          }
        }
      },
      {
        displayName: "From Company",
        name: "fromCompany",
        type: "string",
        typeOptions: {
          multipleValues: true
        },
        default: [],
        description: "Each value: a numeric organisation ID, bare or as urn:li:organization:&lt;n&gt;",
        routing: {
          send: {
            type: "body",
            property: "fromCompany"
          }
        }
      },
      {
        displayName: "From Person",
        name: "fromPerson",
        type: "string",
        typeOptions: {
          multipleValues: true
        },
        default: [],
        description: "Each value: a member ID, bare or as urn:li:person:&lt;ID&gt;: POST /enrich/profile and GET /profile/{username}/urn answer it as entityUrn",
        routing: {
          send: {
            type: "body",
            property: "fromPerson"
          }
        }
      },
      {
        displayName: "Keywords",
        name: "keywords",
        type: "string",
        typeOptions: {
          multipleValues: true
        },
        default: [],
        description: "Distinct search terms. Each term is one provider call per run. A term in double quotes is an exact phrase. A term with AND, OR or NOT in capitals is refused: use expression. Send exactly one of keywords, keyword and expression.",
        routing: {
          send: {
            type: "body",
            property: "keywords"
          }
        }
      },
      {
        displayName: "Max Engagements Per Post",
        name: "maxEngagementsPerPost",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 2147483647
        },
        description: "Only with captureMode breadth; never raises creditCap",
        routing: {
          send: {
            type: "body",
            property: "maxEngagementsPerPost"
          }
        }
      },
      {
        displayName: "Max Runs",
        name: "maxRuns",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 3650
        },
        description: "Number of counted runs after which the search stops; null = no limit",
        routing: {
          send: {
            type: "body",
            property: "maxRuns"
          }
        }
      },
      {
        displayName: "Mentions Company",
        name: "mentionsCompany",
        type: "string",
        typeOptions: {
          multipleValues: true
        },
        default: [],
        description: "Each value: a numeric organisation ID, bare or as urn:li:organization:&lt;n&gt;",
        routing: {
          send: {
            type: "body",
            property: "mentionsCompany"
          }
        }
      },
      {
        displayName: "Mentions Person",
        name: "mentionsPerson",
        type: "string",
        typeOptions: {
          multipleValues: true
        },
        default: [],
        description: "Each value: a member ID, bare or as urn:li:person:&lt;ID&gt;: POST /enrich/profile and GET /profile/{username}/urn answer it as entityUrn",
        routing: {
          send: {
            type: "body",
            property: "mentionsPerson"
          }
        }
      },
      {
        displayName: "Mode",
        name: "mode",
        type: "options",
        options: [
          {
            name: "Engagers",
            value: "engagers"
          },
          {
            name: "Posts Only",
            value: "posts_only"
          }
        ],
        default: "engagers",
        description: "Default engagers",
        routing: {
          send: {
            type: "body",
            property: "mode"
          }
        }
      },
      {
        displayName: "Name",
        name: "name",
        type: "string",
        default: "",
        description: "A label; does not identify the search",
        routing: {
          send: {
            type: "body",
            property: "name"
          }
        }
      },
      {
        displayName: "Posts Per Sync",
        name: "postsPerSync",
        type: "number",
        default: 1,
        typeOptions: {
          minValue: 1,
          maxValue: 60
        },
        description: "\"posts_only\": maximum new posts that one sync stores and charges. Null in engagers mode.",
        routing: {
          send: {
            type: "body",
            property: "postsPerSync"
          }
        }
      },
      {
        displayName: "Run Once",
        name: "runOnce",
        type: "boolean",
        default: false,
        description: "Whether \"Run Once\" is on. Default false; the same as maxRuns: 1.",
        routing: {
          send: {
            type: "body",
            property: "runOnce"
          }
        }
      },
      {
        displayName: "Sort",
        name: "sort",
        type: "options",
        options: [
          {
            name: "DATE POSTED",
            value: "DATE_POSTED"
          },
          {
            name: "RELEVANCE",
            value: "RELEVANCE"
          }
        ],
        default: "DATE_POSTED",
        description: "Default DATE_POSTED; stored, but runs currently use relevance",
        routing: {
          send: {
            type: "body",
            property: "sort"
          }
        }
      }
    ]
  }
]
