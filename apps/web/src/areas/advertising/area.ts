import { IconSpeakerphone } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const advertising = {
  icons: {
    advertising: IconSpeakerphone,
  },
  screens: {
    advertising: () => import('./AdvertisingPage.tsx'),
    adCampaign: () => import('./CampaignPage.tsx'),
  },
} satisfies Area
