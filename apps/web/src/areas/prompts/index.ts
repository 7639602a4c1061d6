/** What prompts publish to others. */

export { CallAi } from './CallAi.tsx'
export { ExaminationAi } from './ExaminationAi.tsx'
