// The modes of the sandbox as dialects.
import type { Mode } from '../../service/mode.ts';
import type { Dialect } from './dialect.ts';
import { serviceDialect } from './service.ts';
import { specificationDialect } from './specification.ts';

export type { Dialect } from './dialect.ts';

export const chooseDialect = (mode: Mode): Dialect =>
  mode === 'specification' ? specificationDialect : serviceDialect;
