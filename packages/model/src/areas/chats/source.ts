/** Label of a visitor's source, in the list of chats (spec §9); an unknown source is a widget. */
const labels: Readonly<Record<string, string>> = {
  android: 'Android',
  instagram: 'Instagram',
  ios: 'IOS',
  max: 'MAX',
  telegram: 'Telegram',
  vk: 'VKontakte',
  vkontakte: 'VKontakte',
  whatsapp: 'WhatsApp',
}
const WIDGET = 'Виджет'

export const chatSourceLabel = (source: string | null | undefined): string =>
  labels[source?.toLowerCase() ?? ''] ?? WIDGET
