/** Starter sets by kind of clinic; can be removed as a whole. */
export const startKits = {
  general: 'Общая практика',
  dentistry: 'Стоматология',
  gynaecology: 'Гинекология',
  paediatrics: 'Педиатрия',
  cosmetology: 'Косметология',
  laboratory: 'Лаборатория',
} as const
export type StartKit = keyof typeof startKits
export const startKitKeys = Object.keys(startKits) as [StartKit, ...StartKit[]]
