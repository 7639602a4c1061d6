import { LabAnalyte, LabComponent, LabNorm, LabTest } from './catalogue.ts'
import { LabControl, LabControlRun } from './control.ts'
import { LabDevice, LabDeviceCode, LabDeviceWord, LabStray } from './device.ts'
import { LabContainer, Laboratory, LabUnit } from './laboratory.ts'
import { LabOrder, LabOrderItem } from './order.ts'
import { LabResult } from './result.ts'
import { LabSample, LabSampleStep, LabShipment } from './sample.ts'

/** Entities of this area. */
export const entities = [
  Laboratory,
  LabContainer,
  LabUnit,
  LabAnalyte,
  LabNorm,
  LabTest,
  LabComponent,
  LabShipment,
  LabOrder,
  LabSample,
  LabSampleStep,
  LabDevice,
  LabDeviceCode,
  LabDeviceWord,
  LabOrderItem,
  LabResult,
  LabStray,
  LabControl,
  LabControlRun,
] as const
