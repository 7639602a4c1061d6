/** Rights on certificates; a separate file, as the list of pages imports it. */

/** Users who manage signatures, and all who sign: examinations and documents, sick leaves, for the commission. */
export const signaturesAccess = ['manageSignatures', 'editExaminations', 'editEln', 'signElnChairman'] as const
/** Users who sign anything; others' certificates need `signaturesAccess`. */
export const signingAccess = [...signaturesAccess, 'editMdlp'] as const
