/** Who may do what with certificates; apart, since the list of pages reads it. */

/** Who manages signatures, and everybody who signs: examinations and documents, sick leaves, for the commission. */
export const signaturesAccess = ['manageSignatures', 'editExaminations', 'editEln', 'signElnChairman'] as const
/** Whoever signs something: certificates of others stay with `signaturesAccess`. */
export const signingAccess = [...signaturesAccess, 'editMdlp'] as const
