import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const promptsPages = [
  {
    key: 'protocolPrompts',
    path: 'protocol-prompts',
    title: 'Подсказки для протоколов',
    help: 'Что нейросеть достаёт из разговора на приёме для черновика осмотра',
    section: 'clinic',
    icon: 'prompts',
    any: ['iiProtocolPrompt'],
    menu: true,
    makes: { label: 'Новая подсказка для протокола', any: ['editPrompts'], names: 'промпт нейросеть ии', rare: true },
  },
  {
    key: 'protocolPrompt',
    path: 'protocol-prompts/:id',
    title: 'Подсказка для протокола',
    help: 'Текст, версии, проба на примере, запуски',
    linked: true,
    section: 'clinic',
    icon: 'prompts',
    any: ['iiProtocolPrompt'],
  },
  {
    key: 'callPrompts',
    path: 'call-prompts',
    title: 'Подсказки для звонков',
    help: 'Краткое содержание, чек-лист и следующий шаг разговора от нейросети',
    section: 'clients',
    icon: 'prompts',
    any: ['iiCallPrompt'],
    menu: true,
    makes: { label: 'Новая подсказка для звонка', any: ['editPrompts'], names: 'промпт нейросеть ии', rare: true },
  },
  {
    key: 'callPrompt',
    path: 'call-prompts/:id',
    title: 'Подсказка для звонка',
    help: 'Текст, версии, проба на примере, запуски',
    linked: true,
    section: 'clients',
    icon: 'prompts',
    any: ['iiCallPrompt'],
  },
] as const satisfies readonly Page[]

const common = [
  'Перед отправкой имена, телефоны, адреса, даты рождения и номера документов заменяются метками. Что уйдёт, видно рядом с тем, что есть.',
  'Каждое изменение текста — новая версия. Две версии можно сравнить и проверить на одном примере.',
  'Отказ, молчание или непонятный ответ нейросети ничего не меняют: об этом написано в запуске.',
] as const

/** What «?» tells about them, by the key of the page. */
export const promptsHelp = {
  protocolPrompts: [
    'Подсказка говорит нейросети, что достать из разговора на приёме. Черновик осмотра врач принимает по полям, принятое помечается «Сформировано ИИ».',
    ...common,
  ],
  protocolPrompt: [...common],
  callPrompts: [
    'По расшифровке звонка нейросеть пишет краткое содержание, заполняет чек-лист с оценкой и предлагает следующий шаг: он становится обещанием одним нажатием.',
    ...common,
  ],
  callPrompt: [...common],
} as const satisfies Readonly<Record<string, readonly string[]>>
