/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const signaturePermissions = {
  manageSignatures: 'Электронные подписи', // proposed
} as const
