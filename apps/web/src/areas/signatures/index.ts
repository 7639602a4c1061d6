export { type SigningError, type SigningPlugin, signingError } from './plugin/plugin.ts'
export { useSigning } from './useSigning.ts'
