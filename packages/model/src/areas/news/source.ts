/** Where news come from (spec §3). */
export const newsSources = {
  site: 'Сайт',
  vk: 'ВКонтакте',
  facebook: 'Facebook',
  instagram: 'Instagram',
  youtube: 'YouTube',
  twitter: 'Twitter',
  google: 'Google',
  telegram: 'Telegram',
} as const
export type NewsSource = keyof typeof newsSources
