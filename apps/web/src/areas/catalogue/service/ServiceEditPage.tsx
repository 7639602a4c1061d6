import { ServiceFile, ServiceImage } from '@ordinator/model/areas/catalogue/image'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { PictureGallery } from '#areas/files/index.ts'
import { VStack } from '#kit/Stacks.tsx'
import { RegistryForm } from '#records/registry/RegistryRecord.tsx'
import { Consumables } from './Consumables.tsx'
import { ServiceFrame } from './ServiceFrame.tsx'

/** Изменение услуги: all fields, and the pictures. */
export default function ServiceEditPage() {
  return (
    <ServiceFrame page="serviceEdit">
      {(service) => (
        <VStack gap={32}>
          <RegistryForm entity={Service} row={service} />
          <Consumables idService={service.id} />
          <PictureGallery
            links={ServiceImage}
            files={ServiceFile}
            by="idFile"
            of={{ idService: service.id }}
            whereToLook="Откройте изменение услуги, чтобы повторить."
          />
        </VStack>
      )}
    </ServiceFrame>
  )
}
