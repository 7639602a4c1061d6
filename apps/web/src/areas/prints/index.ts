export { PrintAction, PrintMenu } from './PrintMenu.tsx'
