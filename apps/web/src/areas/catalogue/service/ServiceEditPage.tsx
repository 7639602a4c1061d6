import { Service } from '@ordinator/model/areas/catalogue/service'
import { RegistryForm } from '../../../records/registry/RegistryRecord.tsx'
import { ServiceFrame } from './ServiceFrame.tsx'

/** Изменение услуги: every field of it. */
export default function ServiceEditPage() {
  return <ServiceFrame page="serviceEdit">{(service) => <RegistryForm entity={Service} row={service} />}</ServiceFrame>
}
