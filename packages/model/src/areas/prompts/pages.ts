import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
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
