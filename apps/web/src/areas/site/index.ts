export { MissingOnSite } from './CheckList.tsx'
