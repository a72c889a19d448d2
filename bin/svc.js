#!/usr/bin/env node
'use strict';
require('../dist/svc.cjs').run();
