/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const promptPermissions = {
  iiProtocolPrompt: 'Подсказки для протоколов',
  iiCallPrompt: 'Подсказки для звонков',
  editPrompts: 'Подсказки: настройка и проба', // proposed
} as const
