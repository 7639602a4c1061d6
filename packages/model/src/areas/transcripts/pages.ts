import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
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
