/** Sources of news (spec §3). */
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

/** Colour of each source (spec §3); the site has the clinic's own. */
export const brandColors: Readonly<Record<NewsSource, string>> = {
  site: '#0c8599',
  vk: '#0077ff',
  facebook: '#0866ff',
  instagram: '#d62976',
  youtube: '#e60000',
  twitter: '#1681bf',
  google: '#2f73e8',
  telegram: '#1c86c4',
}
