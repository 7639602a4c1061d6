import type { Page } from '../../page.ts'

const view = ['examinationTemplatesSettings', 'viewReportClinicalRecommendations'] as const

export const clinicalPages = [
  {
    key: 'clinicalRecommendations',
    path: 'clinical-recommendations',
    title: 'Клинические рекомендации',
    help: 'Реестр рекомендаций Минздрава с диагнозами: врачи выбирают их в осмотре',
    section: 'clinic',
    icon: 'clinical',
    menu: true,
    any: view,
    entity: 'clinical-recommendations',
    makes: { label: 'Новая клиническая рекомендация', any: ['examinationTemplatesSettings'], rare: true },
    family: 'clinical',
  },
  {
    key: 'clinicalCriteria',
    path: 'clinical-recommendations/criteria',
    title: 'Критерии качества',
    help: 'По каким критериям врач отвечает в осмотре: да, нет, не применимо',
    section: 'clinic',
    icon: 'clinical',
    any: view,
    entity: 'clinical-recommendations/criteria',
    makes: { label: 'Новый критерий качества', any: ['examinationTemplatesSettings'], rare: true },
    family: 'clinical',
  },
] as const satisfies readonly Page[]
