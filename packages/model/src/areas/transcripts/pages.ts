import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const transcriptsPages = [
  {
    key: 'transcripts',
    path: 'journal/calls/transcripts',
    title: 'Расшифровки звонков',
    help: 'Поиск по тому, что было сказано: фраза, кто сказал, когда — и сразу слушать с этого места',
    section: 'contact',
    icon: 'transcripts',
    any: ['viewCallJournal'],
    menu: true,
    entity: 'calls/transcript-lines',
    family: 'journal',
  },
] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const transcriptsHelp = {
  transcripts: [
    'Здесь ищут по словам разговоров. Видны свои разговоры, а с правом на чужие записи — все.',
    'Откройте реплику: рядом с плеером весь разговор, нажатие на слово играет с этого места.',
    'Расшифровку делают в карточке звонка или она делается сама, если это включено в «Подключениях». В записи с двумя каналами известно, кто говорит; тишина слов не даёт.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
