/** Who may do what with electronic medical documents; apart, since the list of pages reads it. */

/** Who makes, signs and sends them: the journal's readers look only. */
export const semdWork = ['editExaminations', 'manageSignatures'] as const
export const semdAccess = ['editExaminations', 'manageSignatures', 'viewReportEgiszOperationsLog'] as const
