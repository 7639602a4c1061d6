export { PrintMenu } from './PrintMenu.tsx'
