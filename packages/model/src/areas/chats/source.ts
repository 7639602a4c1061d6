/** Where a visitor writes from, as the list of chats calls it (spec §9); whatever has no name of its own is a widget. */
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
