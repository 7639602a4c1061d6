export { ReferrerSelect, useHasReferrers } from './ReferrerSelect.tsx'
