/** What else is in the core group. In the notation that `shape/parse.ts` reads. */
export const coreNotation = `
ObjectReference!: apiVersion@5 fieldPath@7 kind@1 name@3 namespace@2 resourceVersion@6 uid@4
Binding: metadata:ObjectMeta@1 target:ObjectReference@2
ConfigMap: binaryData:{y}@3 data:{s}@2 immutable:b@4* metadata:ObjectMeta@1
Endpoints: metadata:ObjectMeta@1 subsets:[EndpointSubset]@2
EndpointSubset: addresses:[EndpointAddress]@1 notReadyAddresses:[EndpointAddress]@2
  ports:[EndpointPort]@3
EndpointAddress!: hostname@3 ip@1 nodeName@4* targetRef:ObjectReference@2*
EndpointPort!: appProtocol@4* name@1 port:i@2 protocol@3
Event: action@12 count:i@8 eventTime:u@10 firstTimestamp:t@6 involvedObject:ObjectReference@2
  lastTimestamp:t@7 message@4 metadata:ObjectMeta@1 reason@3 related:ObjectReference@13*
  reportingComponent@14 reportingInstance@15 series:EventSeries@11* source:EventSource@5 type@9
EventSeries: count:i@1 lastObservedTime:u@2
EventSource: component@1 host@2
LimitRange: metadata:ObjectMeta@1 spec:LimitRangeSpec@2
LimitRangeSpec: limits:[LimitRangeItem]@1
LimitRangeItem: default:{q}@4 defaultRequest:{q}@5 max:{q}@2 maxLimitRequestRatio:{q}@6 min:{q}@3
  type@1
Namespace: metadata:ObjectMeta@1 spec:NamespaceSpec@2 status:NamespaceStatus@3
NamespaceSpec: finalizers:[s]@1
NamespaceStatus: conditions:[NamespaceCondition]=type~@2 phase@1
NamespaceCondition: lastTransitionTime:t@4 message@6 reason@5 status@2 type@1
Node: metadata:ObjectMeta@1 spec:NodeSpec@2 status:NodeStatus@3
NodeSpec: configSource:NodeConfigSource@6* externalID@2 podCIDR@1 podCIDRs:[s]+~@7 providerID@3
  taints:[Taint]@5 unschedulable:b@4
NodeConfigSource: configMap:ConfigMapNodeConfigSource@2*
ConfigMapNodeConfigSource: kubeletConfigKey@5 name@2 namespace@1 resourceVersion@4 uid@3
Taint: effect@3 key@1 timeAdded:t@4* value@2
NodeStatus: addresses:[NodeAddress]=type~@5 allocatable:{q}@2 capacity:{q}@1
  conditions:[NodeCondition]=type~@4 config:NodeConfigStatus@11*
  daemonEndpoints:NodeDaemonEndpoints@6 declaredFeatures:[s]@14 features:NodeFeatures@13*
  images:[ContainerImage]@8 nodeInfo:NodeSystemInfo@7 phase@3
  runtimeHandlers:[NodeRuntimeHandler]@12 volumesAttached:[AttachedVolume]@10 volumesInUse:[s]@9
NodeAddress: address@2 type@1
NodeCondition: lastHeartbeatTime:t@3 lastTransitionTime:t@4 message@6 reason@5 status@2 type@1
NodeConfigStatus: active:NodeConfigSource@2* assigned:NodeConfigSource@1* error@4
  lastKnownGood:NodeConfigSource@3*
NodeDaemonEndpoints: kubeletEndpoint:DaemonEndpoint@1
DaemonEndpoint: Port:i@1
NodeFeatures: supplementalGroupsPolicy:b@1*
ContainerImage: names:[s]@1 sizeBytes:i@2
NodeSystemInfo: architecture@10 bootID@3 containerRuntimeVersion@6 kernelVersion@4
  kubeProxyVersion@8 kubeletVersion@7 machineID@1 operatingSystem@9 osImage@5
  swap:NodeSwapStatus@11* systemUUID@2
NodeSwapStatus: capacity:i@1*
NodeRuntimeHandler: features:NodeRuntimeHandlerFeatures@2* name@1
NodeRuntimeHandlerFeatures: recursiveReadOnlyMounts:b@1* userNamespaces:b@2*
AttachedVolume: devicePath@2 name@1
ReplicationController: metadata:ObjectMeta@1 spec:ReplicationControllerSpec@2
  status:ReplicationControllerStatus@3
ReplicationControllerSpec: minReadySeconds:i@4 replicas:i@1* selector:{s}!@2
  template:PodTemplateSpec@3*
ReplicationControllerStatus: availableReplicas:i@5
  conditions:[ReplicationControllerCondition]=type~@6 fullyLabeledReplicas:i@2
  observedGeneration:i@3 readyReplicas:i@4 replicas:i@1
ReplicationControllerCondition: lastTransitionTime:t@3 message@5 reason@4 status@2 type@1
ResourceQuota: metadata:ObjectMeta@1 spec:ResourceQuotaSpec@2 status:ResourceQuotaStatus@3
ResourceQuotaSpec: hard:{q}@1 scopeSelector:ScopeSelector@3* scopes:[s]@2
ScopeSelector!: matchExpressions:[ScopedResourceSelectorRequirement]@1
ScopedResourceSelectorRequirement: operator@2 scopeName@1 values:[s]@3
ResourceQuotaStatus: hard:{q}@1 used:{q}@2
Secret: data:{y}@2 immutable:b@5* metadata:ObjectMeta@1 stringData:{s}@4 type@3
Service: metadata:ObjectMeta@1 spec:ServiceSpec@2 status:ServiceStatus@3
ServiceSpec: allocateLoadBalancerNodePorts:b@20* clusterIP@3 clusterIPs:[s]@18 externalIPs:[s]@5
  externalName@10 externalTrafficPolicy@11 healthCheckNodePort:i@12 internalTrafficPolicy@22*
  ipFamilies:[s]@19 ipFamilyPolicy@17* loadBalancerClass@21* loadBalancerIP@8
  loadBalancerSourceRanges:[s]@9 ports:[ServicePort]=port,protocol~port@1
  publishNotReadyAddresses:b@13 selector:{s}!@2 sessionAffinity@7
  sessionAffinityConfig:SessionAffinityConfig@14* trafficDistribution@23* type@4
ServicePort: appProtocol@6* name@1 nodePort:i@5 port:i@3 protocol@2 targetPort:x@4
SessionAffinityConfig: clientIP:ClientIPConfig@1*
ClientIPConfig: timeoutSeconds:i@1*
ServiceStatus: conditions:[Condition]=type~@2 loadBalancer:LoadBalancerStatus@1
LoadBalancerStatus: ingress:[LoadBalancerIngress]@1
LoadBalancerIngress: hostname@2 ip@1 ipMode@3* ports:[PortStatus]@4
PortStatus: error@3* port:i@1 protocol@2
ServiceAccount: automountServiceAccountToken:b@4* imagePullSecrets:[LocalObjectReference]@3
  metadata:ObjectMeta@1 secrets:[ObjectReference]=name~@2
TopologySelectorTerm!: matchLabelExpressions:[TopologySelectorLabelRequirement]@1
TopologySelectorLabelRequirement: key@1 values:[s]@2
`;
