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

export const clinicalHelp = {
  clinicalRecommendations: [
    'Коды МКБ-10 пишут через запятую, можно промежутком: J20–J22. По ним рекомендация предлагается в осмотре.',
    'Критерии ведут во вкладке «Критерии качества» или загружают файлом: строка на критерий, рекомендация найдётся по номеру.',
  ],
  clinicalCriteria: [
    'Порядок критериев — как в осмотре. Критерий, по которому уже ответили, не удаляется: закройте рекомендацию датой.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
