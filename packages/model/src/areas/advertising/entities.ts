import { AdCampaign, AdConversion, AdCost, AdCreative, AdNumber, AdTouch } from './campaign.ts'

/** Entities of this area. */
export const entities = [AdCampaign, AdNumber, AdCreative, AdCost, AdTouch, AdConversion] as const
