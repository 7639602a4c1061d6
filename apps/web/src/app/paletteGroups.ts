/** Headings of the palette that more than one part names. */
export const PAGES = 'Страницы'
export const UNKNOWN = 'Этого номера нет ни в одной карте'
/** Path of patients' cards. */
export const CUSTOMERS = 'customers'
