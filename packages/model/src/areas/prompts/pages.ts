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
    section: 'contact',
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
    section: 'contact',
    icon: 'prompts',
    any: ['iiCallPrompt'],
  },
] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const promptsHelp = {
  protocolPrompts: [
    'Подсказка говорит нейросети, что достать из разговора на приёме. Черновик врач принимает по полям, принятое помечается «Сформировано ИИ».',
    'Перед отправкой имена, телефоны, адреса, даты рождения и номера документов заменяются метками: что уйдёт, видно рядом с тем, что есть.',
  ],
  protocolPrompt: [
    'Каждое изменение текста — новая версия. Две версии сравнивают на вкладке «Версии», а их ответы на одном примере — на вкладке «Проба».',
    'Поля для черновика берутся из формы осмотра: в тексте подсказки их перечислять не нужно.',
  ],
  callPrompts: [
    'По расшифровке звонка нейросеть пишет краткое содержание, заполняет чек-лист с оценкой и предлагает следующий шаг: он становится обещанием одним нажатием.',
    'Отказ, молчание или непонятный ответ нейросети ничего не меняют: об этом написано в запуске.',
  ],
  callPrompt: [
    'Чек-лист и следующий шаг нейросеть вернёт и без указаний: в тексте говорят, на что смотреть в разговоре.',
    'На вкладке «Запуски» видно, кто спрашивал, чем кончилось, сколько стоило и как оценили.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
