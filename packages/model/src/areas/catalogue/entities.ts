import { ServiceConsumable } from './consumable.ts'
import { ServiceFile, ServiceImage } from './image.ts'
import { ServiceDuration, ServicePerformer } from './performer.ts'
import { Price, PriceChange, PriceList } from './price.ts'
import { Service, ServiceGroup, ServiceType } from './service.ts'

/** Entities of this area. */
export const entities = [
  ServiceType,
  ServiceGroup,
  Service,
  ServiceFile,
  ServiceImage,
  PriceList,
  Price,
  PriceChange,
  ServicePerformer,
  ServiceConsumable,
  ServiceDuration,
] as const
