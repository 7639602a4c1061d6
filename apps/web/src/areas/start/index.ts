export { StartCard } from './StartCard.tsx'
