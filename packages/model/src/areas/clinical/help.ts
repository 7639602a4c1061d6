/** What «?» tells of the area's pages; apart from the pages, so that it is read when it is asked for. */
export const clinicalHelp = {
  clinicalRecommendations: [
    'Коды МКБ-10 пишут через запятую, можно промежутком: J20–J22. По ним рекомендация предлагается в осмотре.',
    'Критерии ведут во вкладке «Критерии качества» или загружают файлом: строка на критерий, рекомендация найдётся по номеру.',
  ],
  clinicalCriteria: [
    'Порядок критериев — как в осмотре. Критерий, по которому уже ответили, не удаляется: закройте рекомендацию датой.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
