interface DemoChat {
  status: 'active' | 'archive' | 'completed'
  source: string
  sourceName: string
  /** A visitor who is not a customer. */
  own?: { name: string; phone?: string }
}

const chat = (status: DemoChat['status'], source: string, sourceName: string, own?: DemoChat['own']): DemoChat => ({
  status,
  source,
  sourceName,
  ...(own ? { own } : {}),
})

/** The chats of the demo clinic; without a name the visitor is one of its customers. */
export const demoChats: readonly DemoChat[] = [
  chat('active', 'widget', 'Виджет на сайте', { name: 'Светлана' }),
  chat('active', 'whatsapp', 'WhatsApp'),
  chat('active', 'telegram', 'Telegram', { name: 'Рустам', phone: '+79178801122' }),
  chat('active', 'widget', 'Виджет на сайте'),
  chat('active', 'vkontakte', 'ВКонтакте', { name: 'Мама Артёма' }),
  chat('completed', 'widget', 'Виджет на сайте'),
  chat('completed', 'telegram', 'Telegram'),
  chat('completed', 'whatsapp', 'WhatsApp', { name: 'Ольга Петровна', phone: '+79270045566' }),
  chat('completed', 'android', 'Приложение Android'),
  chat('completed', 'widget', 'Виджет на сайте'),
  chat('archive', 'ios', 'Приложение iOS'),
  chat('archive', 'widget', 'Виджет на сайте', { name: 'Гость' }),
  chat('archive', 'telegram', 'Telegram'),
  chat('archive', 'whatsapp', 'WhatsApp'),
]
