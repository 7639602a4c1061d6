export { NoFilial } from './NoFilial.tsx'
