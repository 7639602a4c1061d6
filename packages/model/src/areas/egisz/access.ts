/** Rights on electronic medical documents; a separate file, as the list of pages imports it. */

/** Rights to create, sign and send documents; the journal's readers have view only. */
export const semdWork = ['editExaminations', 'manageSignatures'] as const
export const semdAccess = ['editExaminations', 'manageSignatures', 'viewReportEgiszOperationsLog'] as const
