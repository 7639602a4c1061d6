import { Regulation, RegulationAudience, RegulationRead, RegulationReviewer } from './regulation.ts'
import { RegulationRun, RunStep, Violation } from './run.ts'
import { RegulationFile, RegulationStep, StepDocument, StepImage, StepResponsible, StepScript } from './step.ts'

/** Entities of this area. */
export const entities = [
  Regulation,
  RegulationStep,
  RegulationFile,
  StepImage,
  StepDocument,
  StepScript,
  StepResponsible,
  RegulationReviewer,
  RegulationAudience,
  RegulationRead,
  RegulationRun,
  RunStep,
  Violation,
] as const
