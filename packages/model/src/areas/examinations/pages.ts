import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const examinationPages = [
  {
    key: 'examinations',
    path: 'examinations',
    title: 'Осмотры',
    help: 'Кого врачи осмотрели, что нашли, что ещё не завершено и не подписано',
    section: 'clients',
    icon: 'examinations',
    any: ['viewExaminations'],
    menu: true,
    entity: 'examinations',
    makes: { label: 'Новый осмотр', any: ['editExaminations'] },
  },
  {
    key: 'examination',
    path: 'examinations/:id',
    title: 'Осмотр',
    help: 'Жалобы, измерения, диагнозы, назначения и рекомендации одного приёма',
    section: 'clients',
    icon: 'examinations',
    any: ['viewExaminations'],
  },
] as const satisfies readonly Page[]

/** Set-up pages of this area; the model’s `pages.ts` adds them to the list. */
export const examinationSetUp = [
  {
    key: 'examinationTemplates',
    path: 'settings/examination-templates',
    title: 'Шаблоны осмотров',
    help: 'Разделы и поля, которые врач заполняет на приёме: свои, общие и из файла',
    section: 'settings',
    group: 'papers',
    icon: 'examinationTemplates',
    any: ['examinationTemplatesSettings', 'viewForeignExaminationTemplates'],
    entity: 'examination-templates',
    makes: { label: 'Новый шаблон осмотра', any: ['examinationTemplatesSettings'], rare: true },
  },
  {
    key: 'examinationTemplate',
    path: 'settings/examination-templates/:id',
    title: 'Шаблон осмотра',
    help: 'Поля одного шаблона, их условия и формулы, прежние версии',
    section: 'settings',
    icon: 'examinationTemplates',
    any: ['examinationTemplatesSettings', 'viewForeignExaminationTemplates'],
  },
  {
    key: 'dictionaries',
    path: 'settings/dictionaries',
    title: 'Медицинские справочники',
    help: 'МКБ-10 и свои списки, из которых выбирают в осмотре: с датами действия и загрузкой из файла',
    section: 'settings',
    group: 'papers',
    icon: 'dictionaries',
    any: ['mainSettings'],
    entity: 'dictionaries',
    makes: { label: 'Новый справочник', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
