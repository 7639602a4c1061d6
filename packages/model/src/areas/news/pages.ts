import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const newsPages = [
  {
    key: 'news',
    path: 'news',
    title: 'Новости',
    help: 'Новости клиники и её страниц: лента, публикация, кто прочитал',
    section: 'knowledge',
    icon: 'news',
    any: ['displayTableNews'],
    menu: true,
    makes: { label: 'Новая новость', any: ['editNews'], search: { create: true } },
  },
  {
    key: 'newsItem',
    path: 'news/:id',
    title: 'Новость',
    help: 'Текст, изображения, прочтения и комментарии новости',
    section: 'knowledge',
    icon: 'news',
    any: ['displayTableNews'],
  },
] as const satisfies readonly Page[]
