export { base64Of } from './base64.ts'
export { type SigningError, type SigningPlugin, signingError } from './plugin/plugin.ts'
export { useSigning } from './useSigning.ts'
