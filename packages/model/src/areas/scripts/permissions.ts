/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const scriptPermissions = {
  editScripts: 'Скрипты и регламенты',
} as const
