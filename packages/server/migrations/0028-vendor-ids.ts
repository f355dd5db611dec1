/** Pages of vendors' rows are kept by the id of the vendor that served them; rows from before say `primary` or `fallback`. */
export const statements = ['alter table vendor_page drop constraint vendor_page_provider_check'] as const
