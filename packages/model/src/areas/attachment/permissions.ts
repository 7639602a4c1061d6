/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const attachmentPermissions = {
  check_applications: 'Онлайн-прикрепление',
} as const
