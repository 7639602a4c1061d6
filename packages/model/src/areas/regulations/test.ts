/** A short test after the reading of a regulation: each question has one or several right answers. */
export interface RegulationTest {
  questions: { text: string; options: { text: string; isRight: boolean }[] }[]
}

export const MAX_QUESTIONS = 50
export const MIN_OPTIONS = 2
export const MAX_OPTIONS = 10
/** Maximum characters of a question, and of an option. */
export const MAX_TEST_TEXT = 500

/** Error of a test; undefined: valid. */
export function wrongTest(test: RegulationTest): string | undefined {
  const { questions } = test
  if (!Array.isArray(questions) || questions.length > MAX_QUESTIONS)
    return `Добавьте вопросы, не больше ${MAX_QUESTIONS}`
  for (const [i, question] of questions.entries()) {
    const at = `Вопрос ${i + 1}`
    if (!isText(question?.text)) return `${at}: нужен текст не длиннее ${MAX_TEST_TEXT} знаков`
    const { options } = question
    if (!Array.isArray(options) || options.length < MIN_OPTIONS || options.length > MAX_OPTIONS)
      return `${at}: нужно от ${MIN_OPTIONS} до ${MAX_OPTIONS} ответов`
    for (const option of options) {
      if (!isText(option?.text)) return `${at}: у каждого ответа нужен текст не длиннее ${MAX_TEST_TEXT} знаков`
      if (typeof option.isRight !== 'boolean') return `${at}: у каждого ответа нужно isRight`
    }
    if (!options.some(({ isRight }) => isRight)) return `${at}: отметьте верный ответ`
  }
  return undefined
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEST_TEXT && !value.includes('\0')

/**
 * Percent of right answers, rounded down.
 * @param answers for each question, indexes of the chosen options; a question counts if exactly the right ones are
 * chosen
 */
export function scoreOf({ questions }: RegulationTest, answers: readonly (readonly number[])[]): number {
  if (questions.length === 0) return 100
  const right = questions.filter(({ options }, i) => {
    const chosen = new Set(answers[i] ?? [])
    return options.every(({ isRight }, place) => isRight === chosen.has(place))
  })
  return Math.floor((right.length * 100) / questions.length)
}

/** A test as shown to readers. */
export interface OpenTest {
  /** Percent of right answers needed to pass. */
  passScore: number
  /** `several`: more than one option is right. */
  questions: { text: string; options: string[]; several: boolean }[]
}

/** Response to a confirmation of reading. */
export interface ReadingResult {
  dateRead: string | null
  /** Percent; null: no test. */
  score: number | null
  passed: boolean
  attempts: number
}

/** The test without the right answers. */
export const openTest = (test: RegulationTest | null, passScore: number): OpenTest => ({
  passScore,
  questions: (test?.questions ?? []).map(({ text, options }) => ({
    text,
    options: options.map((option) => option.text),
    several: options.filter(({ isRight }) => isRight).length > 1,
  })),
})

/** First error of the answers to a test; undefined: valid. */
export function wrongAnswers(
  { questions }: RegulationTest,
  answers: readonly (readonly number[])[],
): { field: string; message: string } | undefined {
  if (answers.length > questions.length)
    return { field: 'answers', message: `Ответов больше, чем вопросов: ${answers.length} на ${questions.length}` }
  for (const [i, { options }] of questions.entries()) {
    const chosen = answers[i] ?? []
    const field = `answers.${i}`
    if (chosen.length === 0) return { field, message: `Ответьте на вопрос ${i + 1}` }
    if (new Set(chosen).size < chosen.length || chosen.some((place) => !(place in options)))
      return { field, message: `Вопрос ${i + 1}: такого ответа нет` }
  }
  return undefined
}
