export { NoFilial } from './NoFilial.tsx'
export { useOwnFilial } from './useOwnFilial.ts'
