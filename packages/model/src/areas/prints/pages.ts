import type { Page } from '../../page.ts'

/** Set-up pages of this area; the model’s `pages.ts` adds them to the list. */
export const printSetUp = [
  {
    key: 'printTemplates',
    path: 'settings/print-templates',
    title: 'Шаблоны печати',
    help: 'Договоры, справки, карты и другие документы, которые заполняет запись',
    section: 'settings',
    group: 'papers',
    icon: 'printTemplates',
    any: ['mainSettings'],
    entity: 'print-templates',
    makes: { label: 'Новый шаблон печати', any: ['mainSettings'], rare: true },
  },
  {
    key: 'printTemplate',
    path: 'settings/print-templates/:id',
    title: 'Шаблон печати',
    help: 'Текст с переменными, лист и образец одного шаблона',
    section: 'settings',
    icon: 'printTemplates',
    any: ['mainSettings'],
  },
] as const satisfies readonly Page[]
