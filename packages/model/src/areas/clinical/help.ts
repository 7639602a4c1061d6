/** Help texts behind «?» for the area's pages; a separate module, so that it is loaded on demand. */
export const clinicalHelp = {
  clinicalRecommendations: [
    'Коды МКБ-10 пишут через запятую, можно промежутком: J20–J22. По ним рекомендация предлагается в осмотре.',
    'Критерии ведут во вкладке «Критерии качества» или загружают файлом: строка на критерий, рекомендация найдётся по номеру.',
  ],
  clinicalCriteria: [
    'Порядок критериев — как в осмотре. Критерий, по которому уже ответили, не удаляется: закройте рекомендацию датой.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
