/** Public parts of the prompts area. */

export { CallAi } from './CallAi.tsx'
export { ExaminationAi } from './ExaminationAi.tsx'
